"""Questions to the memories of a scope: filters, times, pages. Pure; the stores answer them."""

from .evaluate import Predicate, predicate
from .filters import EVERYTHING, Filter, both
from .parse import parse

__all__ = ["EVERYTHING", "Filter", "Predicate", "both", "parse", "predicate"]
