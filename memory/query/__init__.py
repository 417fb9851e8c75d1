"""Questions to the memories of a scope: filters, times, pages. Pure; the stores answer them."""

from ..model.filters import EVERYTHING, Filter, both
from .arguments import MemoryQuery, QueryArguments, read_arguments
from .evaluate import Predicate, predicate
from .naming import NamedScope, scope_in, taken_apart, together
from .narrowing import check_filled
from .parser import check_size, parse
from .passing import passing

__all__ = [
    "EVERYTHING",
    "Filter",
    "MemoryQuery",
    "NamedScope",
    "Predicate",
    "QueryArguments",
    "both",
    "check_filled",
    "check_size",
    "parse",
    "passing",
    "predicate",
    "read_arguments",
    "scope_in",
    "taken_apart",
    "together",
]
