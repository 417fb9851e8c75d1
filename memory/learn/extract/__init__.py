"""Asks a model for facts and accepts only those with evidence in the conversation.

turns -> units -> transcript -> ladder (schema, repair, lines, smaller) -> facts
      -> screen, evidence, inventions, dates -> candidates
"""

from .driver import FULL, Effort, extract
from .ladder import FEW_VAIN

__all__ = ["FEW_VAIN", "FULL", "Effort", "extract"]
