"""Reads who and what a text speaks of, and their relations, without a model. Pure."""

from .keys import description_in, key_of, key_of_kind, kind_told
from .reader import READER, read
from .readings import USER_KEY, USER_NAME, GraphReading, ReadMention

__all__ = [
    "READER",
    "USER_KEY",
    "USER_NAME",
    "GraphReading",
    "ReadMention",
    "description_in",
    "key_of",
    "key_of_kind",
    "kind_told",
    "read",
]
