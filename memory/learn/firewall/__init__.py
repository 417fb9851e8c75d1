"""Removes injected memories, client context and echoes from turns before they are learned."""

from .block import HEARSAY, PREAMBLE, strip_injected, tags
from .rounds import clean

__all__ = ["HEARSAY", "PREAMBLE", "clean", "strip_injected", "tags"]
