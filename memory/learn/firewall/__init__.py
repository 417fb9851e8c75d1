"""Removes injected memories, client context and echoes from turns before they are learned."""

from .block import PREAMBLE, strip_injected, tags
from .clean import clean

__all__ = ["PREAMBLE", "clean", "strip_injected", "tags"]
