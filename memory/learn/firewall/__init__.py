"""Keeps what is not the user's out of what is learned: our own words, clients', and echoes."""

from .block import PREAMBLE, strip_injected, tags
from .clean import clean

__all__ = ["PREAMBLE", "clean", "strip_injected", "tags"]
