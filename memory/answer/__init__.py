"""Answers questions from memories, with citations, or not at all."""

from .driver import answer_from
from .verdict import GroundedAnswer

__all__ = ["GroundedAnswer", "answer_from"]
