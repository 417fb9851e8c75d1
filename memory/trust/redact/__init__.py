"""Removes secrets and, if configured, personal data from texts before they are kept or sent."""

from .options import RedactOptions
from .redactor import Redactor, is_only_marks

__all__ = ["RedactOptions", "Redactor", "is_only_marks"]
