"""Questions to the memories of a scope: filters, times, pages. Pure; the stores answer them."""

from ..model.filters import EVERYTHING, Filter
from .arguments import MemorySelector
from .evaluate import Predicate, passing, predicate
from .filter_json import check_size, parse
from .naming import check_filled, taken_apart, together

__all__ = [
    "EVERYTHING",
    "Filter",
    "MemorySelector",
    "Predicate",
    "check_filled",
    "check_size",
    "parse",
    "passing",
    "predicate",
    "taken_apart",
    "together",
]
