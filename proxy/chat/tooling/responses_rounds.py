"""One ordinary answer of Responses made of several rounds; of a stream as it comes. Pure.

An item of a message is passed on as it comes. Items of calls, and of the reasoning that leads to
them, are held back until their round ends. Events are numbered and their items counted anew, unless
nothing was left out before them.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.memory.model.types import ToolCall
from recollect.memory.tools import responses_tools

from .events import StreamEvent, written
from .rounds import Results, Round, added_up
from .splicing import appended, with_field

_BEGINNING = frozenset({"response.created", "response.queued", "response.in_progress"})
_END = frozenset({"response.completed", "response.incomplete", "response.failed"})
_DONE = "response.output_item.done"
_CALLS = frozenset({"function_call", "custom_tool_call"})
_REASONING = "reasoning"
_UNKNOWN = "call"
"""The type of an item of which only a call's arguments came: nobody knows whose it is."""
_OF_CALLS = ("response.function_call_arguments.", "response.custom_tool_call_input.")
_FAILED = frozenset({"failed", "cancelled"})
"""What a response is whose calls are not run."""


@dataclass(slots=True)
class _Received:
    """What is known of the round that is being received; items by the index of the server."""

    held: list[tuple[StreamEvent, dict[str, Any]]] = field(default_factory=list)
    kinds: dict[Any, Any] = field(default_factory=dict)
    """The types of its items. Those that came without an index are one."""
    ours: set[Any] = field(default_factory=set)
    """Those that are calls of ours."""
    items: dict[int, dict[str, Any]] = field(default_factory=dict)
    """As far as they are complete."""
    shown: dict[Any, int] = field(default_factory=dict)
    """The index that the client knows an item by."""
    holds_calls: bool = False
    end: StreamEvent | None = None
    failed: bool = False


class ResponsesRounds:
    """Takes the answer of each round, and gives what the client gets."""

    def __init__(self, names: Container[str], own: Any = None) -> None:
        """`names` are those of our tools, `own` are the client's as they came."""
        self._own = own
        self._names = names
        self._beginning: list[StreamEvent] = []
        """Not sent until it is known which round the client sees first."""
        self._begun = False
        self._sequence = 0
        self._output: list[dict[str, Any]] = []
        """The items that the client has, of earlier rounds."""
        self._count = 0
        """How many items the client knows of."""
        self._usage: Any = None
        """Of earlier rounds."""
        self._plain = True
        """Whether nothing was left out yet: then all is passed on as it came."""
        self._now = _Received()

    rendered = staticmethod(responses_tools)
    """Our tools as a request has them."""

    @staticmethod
    def continued(raw: bytes, one: Round, results: Results) -> bytes:
        """The next request: what the model said, and what its calls answered. Raises ValueError."""
        asked = json.loads(raw)
        if isinstance(asked.get("input"), str):
            raw = with_field(raw, "input", [{"role": "user", "content": asked["input"]}])
        said = [item for item in one.said if _may_be_repeated(item, asked.get("store"))]
        answered = [
            {"type": "function_call_output", "call_id": call.id, "output": result}
            for call, result in results
        ]
        return appended(raw, "input", [*said, *answered])

    @staticmethod
    def read(document: Mapping[str, Any]) -> Round:
        """The round of a whole response."""
        items = [each for each in _listed(document) if isinstance(each, dict)]
        calls = [_call(each) for each in items if each.get("type") in _CALLS]
        broken = document.get("status") in _FAILED
        # Its items stay items: no text is joined.
        return Round(tuple(items), tuple(calls), "", document.get("usage"), broken=broken)

    def after(self, one: Round) -> None:
        """Note a round in one piece whose calls were answered; another one follows."""
        self._usage, self._plain = added_up(self._usage, one.usage), False

    def whole(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """The answer in one piece, with the tokens of all rounds, without calls of ours.

        None: as it came.
        """
        one = self.read(document)
        if not self._tells_own_tools(document) and self._plain and not one.ours(self._names):
            return None
        if (usage := added_up(self._usage, one.usage)) is not None:
            document["usage"] = usage
        if output := _listed(document):
            document["output"] = _without_calls(output, self._names)
        return document

    def take(self, event: StreamEvent) -> Iterator[bytes]:
        """What goes to the client at once."""
        now, value = self._now, event.value()
        kind, at = value.get("type"), value.get("output_index")
        if kind in _BEGINNING:
            if not self._begun:
                self._beginning.append(event)
            return
        if kind in _END:
            now.end = event
            return
        if event.is_done and now.end is not None:
            return
        now.failed = now.failed or kind == "error"
        self._note(kind, at, value.get("item"))
        if self._is_held(kind, at):
            now.held.append((event, value))
            return
        if isinstance(at, int) and at not in now.shown:
            yield from self._released()
        yield from self._sent(event, value)

    def round(self) -> Round:
        """The round that has ended."""
        end = {} if self._now.end is None else self._now.end.value()
        response = end.get("response")
        whole = dict(response) if isinstance(response, dict) else {}
        if not whole.get("output"):
            whole["output"] = [item for _, item in sorted(self._now.items.items())]
        one = self.read(whole)
        return replace(one, broken=one.broken or self._now.failed or self._now.end is None)

    def answered(self) -> bytes:
        """The rest of a round whose calls were answered: its texts; another round follows."""
        now = self._now
        self.after(self.round())
        now.held = self._kept(calls=False)
        rest = b"".join(self._released())
        self._output += [item for at, item in sorted(now.items.items()) if at in now.shown]
        if not self._begun:
            self._beginning = []
        self._now = _Received()
        return rest

    def last(self) -> Iterator[bytes]:
        """The rest of the last round; without calls of ours, if it has any all the same."""
        now = self._now
        if now.ours or self.round().ours(self._names):
            self._plain = False
            now.held = self._kept(calls=True)
        yield from self._released()
        yield from self._began()
        if now.end is None:
            return
        value = now.end.value()
        response = value.get("response")
        if not self._plain and isinstance(response, dict):
            items = [each for each in _listed(response) if isinstance(each, dict)]
            response["output"] = [*self._output, *_without_calls(items, self._names)]
            if response.get("usage") is not None:
                response["usage"] = added_up(self._usage, response["usage"])
        yield self._numbered(now.end, value)

    def failed(self, error: Mapping[str, Any]) -> Iterator[bytes]:
        """The end of a stream whose next round has no answer."""
        told = {"code": error.get("code"), "message": error.get("message"), "param": None}
        value = {"type": "error", **told, "sequence_number": self._sequence}
        yield written(value, name="error")

    def _note(self, kind: Any, at: Any, item: Any) -> None:
        """Note what an event says of an item."""
        now = self._now
        if isinstance(item, dict):
            now.kinds[at] = item.get("type")
            if kind == _DONE:
                now.items[at if isinstance(at, int) else len(now.items)] = item
            if item.get("name") in self._names:
                now.ours.add(at)
        elif isinstance(kind, str) and kind.startswith(_OF_CALLS):
            now.kinds.setdefault(at, _UNKNOWN)

    def _is_held(self, kind: Any, at: Any) -> bool:
        now = self._now
        if isinstance(at, int) and at in now.shown:
            return False
        if kind == "error":
            return bool(now.held)
        if now.kinds.get(at) in (*_CALLS, _UNKNOWN):
            now.holds_calls = True
        # After a call nothing is shown before it is known whose it is: the order stays.
        return (now.holds_calls and isinstance(at, int)) or now.kinds.get(at) in _HELD

    def _kept(self, *, calls: bool) -> list[tuple[StreamEvent, dict[str, Any]]]:
        """What is held of items that the client may see: texts and, if `calls`, its own calls.

        Reasoning is kept if any of them comes after it.
        """
        now = self._now
        left_out = (_REASONING, _UNKNOWN) if calls else (_REASONING, _UNKNOWN, *_CALLS)
        places = {at for _, value in now.held if isinstance(at := _place(value), int)} - now.ours
        shown = {at for at in places if now.kinds.get(at) not in left_out}
        last = max(shown, default=-1)
        reasoning = {at for at in places if now.kinds.get(at) == _REASONING and at < last}
        shown |= reasoning if calls else set()
        return [
            each for each in now.held if _place(each[1]) in shown or each[1].get("type") == "error"
        ]

    def _released(self) -> Iterator[bytes]:
        """Everything that is held, in order."""
        held, self._now.held = self._now.held, []
        for event, value in held:
            yield from self._sent(event, value)

    def _began(self) -> Iterator[bytes]:
        if not self._begun:
            self._begun = True
            for event in self._beginning:
                yield self._numbered(event, event.value())

    def _sent(self, event: StreamEvent, value: dict[str, Any]) -> Iterator[bytes]:
        yield from self._began()
        at = _place(value)
        if isinstance(at, int):
            if at not in self._now.shown:
                self._now.shown[at] = self._count
                self._count += 1
            value["output_index"] = self._now.shown[at]
        yield self._numbered(event, value)

    def _numbered(self, event: StreamEvent, value: dict[str, Any]) -> bytes:
        """An event as it came, or with its number among those that the client gets."""
        number, self._sequence = self._sequence, self._sequence + 1
        if not self._tells_own_tools(value.get("response")) and self._plain:
            return event.raw
        if "sequence_number" in value:
            value["sequence_number"] = number
        kind = value.get("type")
        return written(value, name=kind if isinstance(kind, str) else "")

    def _tells_own_tools(self, response: Any) -> bool:
        """Let a response repeat the client's tools only; whether it repeats any, so was changed."""
        if not isinstance(response, dict) or "tools" not in response:
            return False
        response["tools"] = self._own or []
        if response.get("tool_choice") == "none":
            # Ours, of the last round: only a request that leaves the choice to the model has our
            # tools.
            response["tool_choice"] = "auto"
        return True


_HELD = (*_CALLS, _UNKNOWN, _REASONING)


def _may_be_repeated(item: Mapping[str, Any], store: Any) -> bool:
    """What a server does not keep it can only read whole: an item of reasoning by its content."""
    return item.get("type") != _REASONING or store is not False or "encrypted_content" in item


def _listed(response: Mapping[str, Any]) -> list[Any]:
    output = response.get("output")
    return output if isinstance(output, list) else []


def _place(value: Mapping[str, Any]) -> Any:
    return value.get("output_index")


def _without_calls(items: Sequence[Any], names: Container[str]) -> list[Any]:
    """The items without calls of tools with these names, and without reasoning that leads to none.

    A client that sends such reasoning back would be refused.
    """
    kept: list[Any] = []
    reasoning: list[Any] = []
    for item in items:
        named = isinstance(item, dict)
        if named and item.get("type") == _REASONING:
            reasoning.append(item)
        elif named and item.get("type") in _CALLS and item.get("name") in names:
            reasoning = []
        else:
            kept += [*reasoning, item]
            reasoning = []
    return [*kept, *reasoning]


def _call(item: Mapping[str, Any]) -> ToolCall:
    told = (item.get("name"), item.get("arguments", item.get("input")), item.get("call_id"))
    name, arguments, call_id = (each if isinstance(each, str) else "" for each in told)
    return ToolCall(name, arguments, call_id)
