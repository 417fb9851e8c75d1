"""Keeps what is not the user's out of what is learned: our own words, clients', and echoes."""

from .block import CLOSE, OPEN, PREAMBLE, strip_injected
from .clean import Cleaned, Kind, clean

__all__ = ["CLOSE", "OPEN", "PREAMBLE", "Cleaned", "Kind", "clean", "strip_injected"]
