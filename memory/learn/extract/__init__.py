"""Asks a model for facts, and doubts those that something in the conversation stands against.

turns -> units -> transcript -> ladder (schema, repair, lines, smaller) -> facts
      -> screen, passage, dates, refutation -> candidates and doubted ones
"""

from .driver import FULL, Effort, Extraction, extract
from .judge import Doubted
from .ladder import FEW_VAIN

__all__ = ["FEW_VAIN", "FULL", "Doubted", "Effort", "Extraction", "extract"]
