"""One ordinary stream of Responses made of the streams of several rounds. Pure.

An item of a message is passed on as it comes. Items of calls, and of the reasoning that leads to
them, are held back until their round ends. Events are numbered and their items counted anew, unless
nothing was left out before them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.memory.model.types import ToolCall

from .events import StreamEvent, written
from .rounds import Round, added_up

_BEGINNING = frozenset({"response.created", "response.queued", "response.in_progress"})
_END = frozenset({"response.completed", "response.incomplete", "response.failed"})
_ADDED, _DONE = "response.output_item.added", "response.output_item.done"
_CALLS = frozenset({"function_call", "custom_tool_call"})
_HELD_TYPES = _CALLS | {"reasoning"}
_OF_CALLS = ("response.function_call_arguments.", "response.custom_tool_call_input.")
_FAILED = frozenset({"failed", "cancelled"})
"""What a response is whose calls are not run."""


@dataclass(slots=True)
class _Received:
    """What is known of the round that is being received."""

    held: list[tuple[StreamEvent, dict[str, Any]]] = field(default_factory=list)
    items: dict[int, dict[str, Any]] = field(default_factory=dict)
    """By the index that the server gave it, as far as it is complete."""
    shown: dict[int, int] = field(default_factory=dict)
    """The index that the client knows an item by."""
    end: StreamEvent | None = None
    failed: bool = False


class MergedResponses:
    """Takes the events of each round, and gives what the client gets."""

    def __init__(self, names: Container[str]) -> None:
        """`names` are those of our tools."""
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
        self._plain = True
        """Whether nothing was left out yet: then events are passed on as they came."""
        self._now = _Received()

    def take(self, event: StreamEvent) -> Iterator[bytes]:
        """What goes to the client at once."""
        value = event.value()
        kind = value.get("type")
        if kind in _BEGINNING:
            if not self._begun:
                self._beginning.append(event)
            return
        if kind in _END:
            self._now.end = event
            return
        if event.is_done and self._now.end is not None:
            return
        self._now.failed = self._now.failed or kind == "error"
        index = value.get("output_index")
        if kind == _DONE and isinstance(value.get("item"), dict):
            self._now.items[index if isinstance(index, int) else len(self._now.items)] = value[
                "item"
            ]
        if self._is_held(index, value):
            self._now.held.append((event, value))
            return
        if isinstance(index, int) and index not in self._now.shown:
            yield from self._released()
        yield from self._sent(event, value)

    def round(self) -> Round:
        """The round that has ended."""
        end = {} if self._now.end is None else self._now.end.value()
        response = end.get("response")
        whole = dict(response) if isinstance(response, dict) else {}
        if not whole.get("output"):
            whole["output"] = [item for _, item in sorted(self._now.items.items())]
        one = responses_round(whole)
        return replace(one, broken=one.broken or self._now.failed or self._now.end is None)

    def answered(self) -> bytes:
        """The rest of a round whose calls were answered: its texts; another round follows."""
        now = self._now
        self._usage = added_up(self._usage, self.round().usage)
        self._plain = False
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
        if self.round().ours(self._names) or self._holds_ours():
            self._plain = False
            now.held = self._kept(calls=True)
        yield from self._released()
        yield from self._began()
        if now.end is None:
            return
        value = now.end.value()
        response = value.get("response")
        if not self._plain and isinstance(response, dict):
            items = [each for each in response.get("output") or [] if isinstance(each, dict)]
            response["output"] = [*self._output, *without_calls(items, self._names)]
            if response.get("usage") is not None:
                response["usage"] = added_up(self._usage, response["usage"])
        yield self._numbered(now.end, value)

    def failed(self, error: Mapping[str, Any]) -> Iterator[bytes]:
        """The end of a stream whose next round has no answer."""
        told = {"code": error.get("code"), "message": error.get("message"), "param": None}
        value = {"type": "error", **told, "sequence_number": self._sequence}
        yield written(value, name="error")

    def _is_held(self, index: Any, value: Mapping[str, Any]) -> bool:
        if isinstance(index, int) and index in self._now.shown:
            return False
        if isinstance(index, int) and any(
            each.get("output_index") == index for _, each in self._now.held
        ):
            return True
        item = value.get("item")
        if isinstance(item, dict) and item.get("type") in _HELD_TYPES:
            return True
        if value.get("type") == "error" and self._now.held:
            return True
        return _is_of_call(value) or (isinstance(index, int) and not self._only_reasoning_is_held())

    def _holds_ours(self) -> bool:
        items = [*self._now.items.values(), *(value.get("item") for _, value in self._now.held)]
        return any(isinstance(each, dict) and each.get("name") in self._names for each in items)

    def _kept(self, *, calls: bool) -> list[tuple[StreamEvent, dict[str, Any]]]:
        """What is held of items that the client may see: texts and, if `calls`, its own calls.

        Reasoning is kept if any of them comes after it.
        """
        held = [(at, value) for _, value in self._now.held if isinstance(at := _place(value), int)]
        items = [(at, value["item"]) for at, value in held if isinstance(value.get("item"), dict)]
        reasoning = {at for at, item in items if item.get("type") == "reasoning"}
        known = {at for at, item in items if item.get("type") in _CALLS}
        ours = {at for at, item in items if item.get("name") in self._names}
        unknown = {at for at, value in held if _is_of_call(value)} - known
        shown = {at for at, _ in held} - reasoning - unknown - (ours if calls else known)
        last = max(shown, default=-1)
        shown |= {at for at in reasoning if calls and at < last}
        return [
            each
            for each in self._now.held
            if _place(each[1]) in shown or each[1].get("type") == "error"
        ]

    def _only_reasoning_is_held(self) -> bool:
        """After a call nothing is shown before it is known whose it is: the order stays."""
        items = (value.get("item") for _, value in self._now.held)
        kinds = {item.get("type") for item in items if isinstance(item, dict)}
        return kinds <= {"reasoning"} and not any(_is_of_call(each) for _, each in self._now.held)

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
        index = value.get("output_index")
        if isinstance(index, int):
            if index not in self._now.shown:
                self._now.shown[index] = self._count
                self._count += 1
            value["output_index"] = self._now.shown[index]
        yield self._numbered(event, value)

    def _numbered(self, event: StreamEvent, value: dict[str, Any]) -> bytes:
        """An event as it came, or with its number among those that the client gets."""
        number, self._sequence = self._sequence, self._sequence + 1
        if self._plain:
            return event.raw
        if "sequence_number" in value:
            value["sequence_number"] = number
        kind = value.get("type")
        return written(value, name=kind if isinstance(kind, str) else "")


def _place(value: Mapping[str, Any]) -> Any:
    return value.get("output_index")


def _is_of_call(value: Mapping[str, Any]) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and kind.startswith(_OF_CALLS)


def responses_round(response: Mapping[str, Any]) -> Round:
    """The round of a whole response."""
    output = response.get("output")
    items = [each for each in output if isinstance(each, dict)] if isinstance(output, list) else []
    calls = [each for each in items if each.get("type") in ("function_call", "custom_tool_call")]
    return Round(
        tuple(items),
        tuple(map(_call, calls)),
        "",  # its items stay items: nothing is joined
        response.get("usage"),
        broken=response.get("status") in _FAILED,
    )


def without_calls(items: Sequence[Any], names: Container[str]) -> list[Any]:
    """The items without calls of tools with these names, and without reasoning that leads to none.

    A client that sends such reasoning back would be refused.
    """
    kept: list[Any] = []
    reasoning: list[Any] = []
    for item in items:
        named = isinstance(item, dict)
        if named and item.get("type") == "reasoning":
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
