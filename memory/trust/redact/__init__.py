"""Removes secrets and, if wished, personal data from texts before they are kept or sent."""

from .findings import Finding
from .options import PersonalOptions, RedactOptions
from .redactor import MARKERS, Redacted, Redactor

__all__ = [
    "MARKERS",
    "Finding",
    "PersonalOptions",
    "RedactOptions",
    "Redacted",
    "Redactor",
]
