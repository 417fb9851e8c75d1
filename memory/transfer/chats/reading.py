"""Reads an export of a service, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...model.errors import InvalidInputError
from . import chatgpt, claude, gemini
from .archive import Export, files_of
from .json_items import items
from .said import UNDATED, ForeignConversation, newer

_Entries = Iterable[tuple[str, Mapping[str, Any]]]


class _Service(NamedTuple):
    """How one service exports."""

    is_file: Callable[[str], bool]
    conversations: Callable[[_Entries], Iterable[ForeignConversation]]
    wanted: str = "conversations.json"
    """The file that an archive of its has."""


def _each(
    conversation: Callable[[Mapping[str, Any], str], ForeignConversation],
) -> Callable[[_Entries], Iterable[ForeignConversation]]:
    """For a service that has a conversation in each entry."""
    return lambda entries: (conversation(value, where) for where, value in entries)


_SERVICES: Mapping[str, _Service] = {
    chatgpt.SERVICE: _Service(chatgpt.is_file, _each(chatgpt.conversation)),
    claude.SERVICE: _Service(claude.is_file, _each(claude.conversation)),
    gemini.SERVICE: _Service(gemini.is_file, gemini.conversations, gemini.WANTED),
}
SERVICES = tuple(_SERVICES)
"""The services whose exports can be read."""


def read_export(service: str, path: Path) -> Iterator[ForeignConversation]:
    """The conversations of an export, one at a time: a zip archive, or the file in it.

    Raises:
        InvalidInputError: it is no such export, or damaged, or too large; names the place.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        yield from read_open(service, Export(path.name, file, path.stat().st_size))


def read_open(service: str, export: Export) -> Iterator[ForeignConversation]:
    """The same of an export that is open."""
    if (how := _SERVICES.get(service)) is None:
        raise InvalidInputError("service", f"expected one of {', '.join(SERVICES)}")
    file, turns, undated = None, 0, 0
    for file in files_of(export, how.is_file):
        for each in how.conversations(items(file, file.name)):
            turns, undated = turns + len(each.turns), undated + each.left_out[UNDATED]
            yield each
    if file is None:
        raise InvalidInputError(export.name, f"has no {how.wanted} in it")
    if undated and not turns:
        raise newer(file.name, "expected dates that can be read")
