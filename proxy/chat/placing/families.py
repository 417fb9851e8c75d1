"""What is known of model servers without asking them. Pure.

A system message before the last user message keeps memories apart from the user's own words. Few
servers take it in every conversation: of 54 chat templates some refuse a system message that is
not first, others leave it out without a word, which no status shows. So a server must be named
here to get it; every other one gets the block inside the user message, which all of them take.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from yarl import URL

from recollect.filters import Place, Position


class Family(NamedTuple):
    """Servers and models that take memories alike."""

    name: str
    hosts: tuple[str, ...]
    """Host names; a leading dot means every name below it."""
    models: re.Pattern[str] | None
    """Names of models at these hosts; None for all."""
    place: Place


FAMILIES = (
    # https://platform.openai.com/docs/guides/reasoning: the first o1 models have no system role.
    Family(
        "the first o1 models of OpenAI",
        ("api.openai.com", ".openai.azure.com"),
        re.compile(r"o1-(?:mini|preview)(?:-.*)?"),
        Place.USER,
    ),
    # https://platform.openai.com/docs/api-reference/chat: messages are taken in any order of roles.
    Family("OpenAI", ("api.openai.com", ".openai.azure.com"), None, Place.TAIL),
)
"""The first one that fits counts."""
ELSEWHERE = Place.USER

_NEXT = {
    Place.USER: (Place.USER, Place.START),
    Place.TAIL: (Place.TAIL, Place.USER, Place.START),
    Place.START: (Place.START, Place.USER),
}
_WANTED = {Position.USER: Place.USER, Position.TAIL: Place.TAIL, Position.START: Place.START}


def known_place(base_url: str, model: str) -> Place:
    """The place that is known to be best for a model at this server."""
    host = (URL(base_url).host or "").lower()
    for family in FAMILIES:
        if not any(_is_at(host, name) for name in family.hosts):
            continue
        if family.models is None or family.models.fullmatch(model):
            return family.place
    return ELSEWHERE


def order(position: Position, base_url: str, model: str) -> Sequence[Place]:
    """The places to try, the wanted one first."""
    return _NEXT[_WANTED.get(position) or known_place(base_url, model)]


def _is_at(host: str, name: str) -> bool:
    return host.endswith(name) if name.startswith(".") else host == name
