"""Asks a model for facts and accepts only those with evidence in the conversation.

turns -> units -> transcript -> ladder (schema, repair, lines, smaller) -> facts
      -> screen, evidence, inventions, dates -> candidates
"""

from .driver import extract

__all__ = ["extract"]
