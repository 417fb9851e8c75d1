"""Listening to everything that comes back to somebody, for words that are not theirs."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Collection, Mapping
from typing import Any, Self

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from recollect.memory.model.types import Scope
from recollect.proxy.telemetry.logs import WithoutText
from recollect.proxy.telemetry.tracing import Telemetry

from .people import People

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MAX_CAUSES = 10


class LeakError(AssertionError):
    """Somebody was shown, or lost, what is another's."""


class Ears:
    """Hears answers, errors, log lines and spans."""

    def __init__(self, people: People, scopes: Mapping[str, Scope]) -> None:
        """`scopes` says whose each memory is or was, by its id."""
        self.people = people
        self._scopes = scopes
        self.forged: set[str] = set()
        """Ids that somebody has written into their own metadata: data, and no way to anything."""
        self._log = io.StringIO()
        self._handler = logging.StreamHandler(self._log)
        # As the product writes its lines: of an error no text.
        self._handler.setFormatter(WithoutText("%(levelname)s %(name)s: %(message)s"))
        self._handler.setLevel(logging.INFO)
        self._spans = InMemorySpanExporter()
        self._provider = TracerProvider(shutdown_on_exit=False)
        self._provider.add_span_processor(SimpleSpanProcessor(self._spans))
        self.telemetry = Telemetry(self._provider.get_tracer("test"), self._provider.shutdown)

    def __enter__(self) -> Self:
        root = logging.getLogger()
        self._level = root.level
        root.setLevel(logging.INFO)
        root.addHandler(self._handler)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self._handler)
        logging.getLogger().setLevel(self._level)
        self._provider.shutdown()

    def hear(self, caller: Scope | str, value: Any, sent: Collection[str] = ()) -> None:
        """Something came back to a scope, or to a tenant; `sent` are the ids it had named itself.

        Raises:
            LeakError: it holds a word or an id of somebody this caller may not see, or a memory is
                shown under another's name.
        """
        text = _told(value)
        if foreign := self.people.foreign(text, lambda owner: sees(caller, owner)):
            raise LeakError(f"{caller} was shown {foreign} in {text[:2000]}")
        for memory_id in set(_UUID.findall(text)) - self.forged.union(sent):
            owner = self._scopes.get(memory_id)
            if owner is not None and not sees(caller, owner):
                raise LeakError(
                    f"{caller} was shown the id {memory_id} of {owner} in {text[:2000]}"
                )
        for shown in _memories(value):
            owner = self._scopes.get(shown["id"])
            names = ("user_id", "agent_id", "run_id")
            if shown["id"].startswith("said:"):
                # No row tells whose: its words were heard above, and its scope must be one's own.
                tenant = caller.tenant if isinstance(caller, Scope) else caller
                owner = Scope(tenant=tenant, **{n: shown[n] for n in names if shown.get(n)})
                if not sees(caller, owner):
                    raise LeakError(f"{caller} was shown what {owner} said: {shown}")
            if owner is None or owner.ids() != {n: shown[n] for n in names if shown.get(n)}:
                raise LeakError(f"{shown['id']} of {owner} is shown as another's: {shown}")

    def overhear(self) -> None:
        """What was logged and traced since the last time is for nobody. Raises LeakError."""
        spans = "".join(span.to_json() for span in self._spans.get_finished_spans())
        self._spans.clear()
        lines = self._log.getvalue()
        self._log.seek(0)
        self._log.truncate()
        for text in (lines, spans):
            if told := self.people.foreign(text, lambda _: False):
                raise LeakError(f"a log line or a span says {told}: {text[:2000]}")


def sees(caller: Scope | str, owner: Scope) -> bool:
    """Whether a scope, or whoever acts for a tenant, may be shown what is this owner's."""
    return caller.admits(owner) if isinstance(caller, Scope) else caller == owner.tenant


def _told(value: Any) -> str:
    """All that could be read out of a value, in small letters."""
    if not isinstance(value, BaseException):
        return repr(value).lower()
    told, error = "", value
    for _ in range(MAX_CAUSES):
        told += f"{error!s} {error!r} {vars(error)!r} "
        cause = error.__cause__ or error.__context__
        if cause is None:
            break
        error = cause
    return told.lower()


def _memories(value: Any) -> list[dict[str, Any]]:
    """Memories as the API shows them, at the top or in a list of results."""
    if not isinstance(value, dict):
        return []
    results = value.get("results", [value])
    return [row for row in results if isinstance(row, dict) and "hash" in row and "memory" in row]
