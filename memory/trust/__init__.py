"""Redaction and quarantine: content that is removed, and content that is held back."""

from .confusables import MARKS, folded, lookalike

__all__ = ["MARKS", "folded", "lookalike"]
