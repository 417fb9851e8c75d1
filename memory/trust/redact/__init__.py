"""Removes secrets and, if configured, personal data from texts before they are kept or sent."""

from .husks import is_husk, is_only_marks
from .options import RedactOptions
from .redactor import Redactor

__all__ = ["RedactOptions", "Redactor", "is_husk", "is_only_marks"]
