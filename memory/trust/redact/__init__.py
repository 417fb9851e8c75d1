"""Removes secrets and, if configured, personal data from texts before they are kept or sent."""

from .options import RedactOptions
from .redactor import Redactor
from .remains import MARKER, is_empty_remains, is_only_marks
from .values import redacted_values

__all__ = [
    "MARKER", "RedactOptions", "Redactor", "is_empty_remains", "is_only_marks", "redacted_values",
]  # fmt: skip
