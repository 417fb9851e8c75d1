"""Numbers, units, currencies and times of day in one form, whatever they are written in. Pure."""

from .measures import Clock, clocks_of, is_unit, units_of
from .numerals import Number, composed, derived, follows, numbers_of, says_one, values_of

__all__ = [
    "Clock",
    "Number",
    "clocks_of",
    "composed",
    "derived",
    "follows",
    "is_unit",
    "numbers_of",
    "says_one",
    "units_of",
    "values_of",
]
