"""Asking a model for facts, and believing only what the conversation shows.

turns -> units -> transcript -> ladder (schema, repair, lines, smaller) -> facts
      -> screen, evidence, inventions, dates -> candidates
"""

from .driver import extract

__all__ = ["extract"]
