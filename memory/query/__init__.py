"""Questions to the memories of a scope: filters, times, pages. Pure; the stores answer them."""

from ..model.filters import EVERYTHING, Filter, both
from .arguments import MemorySelector, QueryArguments, read_arguments
from .evaluate import Predicate, passing, predicate
from .filter_json import check_size, parse
from .naming import NamedScope, check_filled, scope_in, taken_apart, together

__all__ = [
    "EVERYTHING",
    "Filter",
    "MemorySelector",
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
