"""Removes injected memories, client context and echoes from turns before they are learned."""

from .block import BLOCKS_PREAMBLE, EXTRACT_PREAMBLE, HEARSAY, PREAMBLE, strip_injected, tags
from .repetition import may_repeat
from .turn_cleaning import clean, own_text

__all__ = [
    "BLOCKS_PREAMBLE",
    "EXTRACT_PREAMBLE",
    "HEARSAY",
    "PREAMBLE",
    "clean",
    "may_repeat",
    "own_text",
    "strip_injected",
    "tags",
]
