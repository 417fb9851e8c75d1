"""Asks a model for facts, and doubts those that something in the conversation stands against.

turns -> units -> transcript -> fallbacks (schema, repair, lines, smaller) -> facts
      -> screen, passage, dates, values -> candidates and doubted ones
"""

from .candidates import Doubted
from .extraction import FULL, Effort, Extraction, extract
from .fallback import FEW_VAIN
from .prompts import GRAPH_FORM, TRIPLE_FORM

__all__ = [
    "FEW_VAIN", "FULL", "GRAPH_FORM", "TRIPLE_FORM", "Doubted", "Effort", "Extraction", "extract",
]  # fmt: skip
