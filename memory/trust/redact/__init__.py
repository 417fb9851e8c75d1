"""Removes secrets and, if configured, personal data from texts before they are kept or sent."""

from .husks import is_husk
from .options import RedactOptions
from .redactor import Redactor

__all__ = ["RedactOptions", "Redactor", "is_husk"]
