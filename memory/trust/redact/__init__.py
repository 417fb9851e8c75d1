"""Removes secrets and, if wished, personal data from texts before they are kept or sent."""

from .findings import Finding
from .options import PersonalOptions, RedactOptions
from .personal import find_personal
from .redactor import MARKERS, Redacted, Redactor, find_secrets

__all__ = [
    "MARKERS",
    "Finding",
    "PersonalOptions",
    "RedactOptions",
    "Redacted",
    "Redactor",
    "find_personal",
    "find_secrets",
]
