"""Reads who and what a text speaks of, and their relations, without a model. Pure."""

from .keys import ReadSurface, description_in, key_of, key_of_kind, kind_told
from .reader import READER, read
from .readings import NOTHING_READ, USER_KEY, USER_NAME, GraphReading, ReadMention, ReadRelation

__all__ = [
    "NOTHING_READ",
    "READER",
    "USER_KEY",
    "USER_NAME",
    "GraphReading",
    "ReadMention",
    "ReadRelation",
    "ReadSurface",
    "description_in",
    "key_of",
    "key_of_kind",
    "kind_told",
    "read",
]  # fmt: skip
