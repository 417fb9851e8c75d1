"""Conditional requests (RFC 9110 §13): they name the state of the memory they are about. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from recollect.memory import InvalidInputError
from recollect.memory.api.results import MemoryDict, etag_of

IF_MATCH = "If-Match"
IF_NONE_MATCH = "If-None-Match"
ANY = "*"
_TAG = re.compile(r'(?:W/)?"([!#-~\x80-\uffff]+)"|([0-9]+)')


def expected_version(headers: Mapping[str, str], *, taken: bool) -> str | None:
    """The version that a change must find: an ETag or a number. None: any version.

    `taken` says whether the operation has this condition.

    Raises:
        InvalidInputError: the header is malformed, or the operation would ignore it.
    """
    said = headers.get(IF_MATCH)
    if said is None:
        return None
    if not taken:
        raise InvalidInputError(IF_MATCH, "this operation has no such condition")
    if said.strip() == ANY:
        return None
    tag = _TAG.fullmatch(said.strip())
    if tag is None or said.strip().startswith("W/"):
        raise InvalidInputError(IF_MATCH, "expected one ETag of a memory, or its version")
    return tag[1] if tag[2] is None else tag[2]


def is_known(headers: Mapping[str, str], shown: MemoryDict) -> bool:
    """Whether the client of a GET has this state of the memory already (`If-None-Match`)."""
    return has_tag(headers, etag_of(shown))


def has_tag(headers: Mapping[str, str], tag: str) -> bool:
    """Whether the client of a GET has what `tag` stands for already (`If-None-Match`)."""
    said = headers.get(IF_NONE_MATCH, "")
    return said.strip() == ANY or tag in {each[1] for each in _TAG.finditer(said)}


def etag_header(shown: MemoryDict) -> dict[str, str]:
    """The header that tells the state of a memory."""
    return {"ETag": f'"{etag_of(shown)}"'}
