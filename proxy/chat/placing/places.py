"""Chooses where memories go for each model, and learns from what its server refuses.

What was refused is kept in `data_dir`, so that a restart does not try it again and
`recollect check` can show it. The file holds names of models, no text and no user.
"""

from __future__ import annotations

import functools
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from recollect.config import Settings
from recollect.filters import Place, Position
from recollect.memory.util.disk import MadeOnce, replace_text
from recollect.memory.util.lru import Lru

from .families import order
from .record import Record, Records, Trust, dumped, loaded

log = logging.getLogger(__name__)

FILE_NAME = "places.json"
MAX_MODELS = 256
"""Models that are remembered; a client may send any name."""
MAX_NAME_CHARS = 200
TELLS_NOTHING = frozenset({401, 402, 407, 408, 409, 425, 429})
"""Statuses that speak of the caller or of the moment, never of what a request says."""
_CLIENT_ERRORS = range(400, 500)
_TEMPLATE_ERROR = 500
"""llama.cpp answers so if a chat template refuses a message (xllamacpp 2026.10, Qwen 3.5)."""
ACCEPTED = Trust(accepted=True)
SAID = {
    Place.USER: "inside the last user message",
    Place.TAIL: "as a system message before the last user message",
    Place.START: "in the first system message",
}
"""Each place in words."""


def may_be_refusal(status: int, place: Place) -> bool:
    """Whether an answer may be a refusal of memories in this place.

    A 500 may be that of a chat template, but none refuses the place ``user``.
    """
    if status == _TEMPLATE_ERROR:
        return place is not Place.USER
    return status in _CLIENT_ERRORS and status not in TELLS_NOTHING


class ModelPlaces:
    """The places of one upstream. In memory; the file is written when something is refused."""

    def __init__(
        self,
        base_url: str,
        position: Position,
        *,
        path: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._base_url = base_url
        self._order = functools.lru_cache(MAX_MODELS)(functools.partial(order, position, base_url))
        self._path = path
        self._folder = None if path is None else MadeOnce(path.parent)
        self._clock = clock
        self._records: Lru[str, Records] = Lru(MAX_MODELS)
        self._trust: Lru[str, Trust] = Lru(MAX_MODELS)
        for model, records in read_records(path, base_url).items():
            self._records.put(model, records)

    def choose(self, model: str) -> Place | None:
        """The place for the next request to a model; None while it refuses every place."""
        name = _name(model)
        return chosen(self._order(name), self._records.get(name), self._clock)

    def usual(self) -> str | None:
        """The word for the place of a model that nobody named."""
        place = self.choose("")
        return None if place is None else place.value

    def accepted(self, model: str, place: Place) -> None:
        """A request with memories in this place was answered."""
        name = _name(model)
        if place is not Place.USER or self._trust.get(name) == ACCEPTED:
            return
        self._trust.put(name, ACCEPTED)
        before = self._records.get(name) or {}
        if Place.USER in before:
            self._put(name, {p: record for p, record in before.items() if p is not Place.USER})

    def refused(self, model: str, place: Place, status: int) -> None:
        """A request was refused with memories in this place, and answered as it came."""
        name, now = _name(model), self._clock()
        if place is Place.USER and not self._lost(name):
            log.warning(
                "the model server refused a request with memories (status %d, model %r) and "
                "answered it without: with them it may be too long",
                status,
                name,
            )
            return
        before = self._records.get(name) or {}
        record = before.get(place, Record())
        if record.is_left(now):
            return
        self._put(name, {**before, place: record.refused(status, now)})
        following = self.choose(model)
        log.warning(
            "the model server refused memories %s (place %s, status %d, model %r) and answered the "
            "request without them; from now on they %s",
            SAID[place],
            place.value,
            status,
            name,
            f"go {SAID[following]}" if following else "are left out for a while",
        )

    def _lost(self, name: str) -> bool:
        trust = (self._trust.get(name) or Trust()).refused()
        self._trust.put(name, trust)
        return trust.is_lost

    def _put(self, name: str, records: Records) -> None:
        self._records.put(name, records)
        if self._path is None:
            return
        models = {model: dumped(records) for model, records in self._records.items() if records}
        try:
            text = json.dumps({self._base_url: models}, indent=1) + "\n"
            replace_text(self._path, text, self._folder)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error.strerror)


def places_of(settings: Settings) -> ModelPlaces:
    """The places of the configured upstream, with what is kept in `data_dir`."""
    path = settings.data_dir / FILE_NAME
    return ModelPlaces(settings.upstream.base_url, settings.recall.position, path=path)


def chosen(
    places: Sequence[Place], records: Records | None, now: Callable[[], float]
) -> Place | None:
    """The first place that is not left alone."""
    if not records:
        return places[0]
    moment = now()
    return next((p for p in places if p not in records or not records[p].is_left(moment)), None)


def read_records(path: Path | None, base_url: str) -> dict[str, Records]:
    """What was refused at this server, by model; nothing if the file cannot be read."""
    if path is None:
        return {}
    try:
        models = json.loads(path.read_text("utf-8")).get(base_url, {})
        return {model: loaded(records) for model, records in models.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s is not read: %s", path, error)
        return {}


def _name(model: str) -> str:
    return model[:MAX_NAME_CHARS]
