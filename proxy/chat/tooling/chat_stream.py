"""One ordinary stream of Chat Completions made of the streams of several rounds. Pure.

Text is passed on as it comes. Calls are held back until their round ends: then either the round has
none of ours, and its events are passed on as they came, or it is answered and nobody sees it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...dialects.chat import tool_calls
from .events import DONE, StreamEvent, written
from .rounds import GAP, Round, added_up


@dataclass(slots=True)
class _Held:
    """What is known of the round that is being received."""

    events: list[StreamEvent] = field(default_factory=list)
    deltas: list[dict[str, Any]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    holding: bool = False
    usage: Any = None
    done: bytes = b""


class MergedChat:
    """Takes the events of each round, and gives what the client gets."""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are those of our tools."""
        self._names = names
        self._number = 1
        self._first: dict[str, Any] = {}
        """Of the first event: what makes one answer of all."""
        self._said = ""
        """The text that the client has of earlier rounds."""
        self._usage: Any = None
        self._now = _Held()

    def take(self, event: StreamEvent) -> Iterator[bytes]:
        """What goes to the client at once."""
        now = self._now
        if event.is_done:
            now.done = event.raw
            return
        value = event.value()
        delta, finished = _delta(value)
        if value.get("usage") is not None:
            now.usage = value["usage"]
        self._first = self._first or {
            name: value[name] for name in ("id", "created") if name in value
        }
        if delta is not None:
            now.deltas.append(delta)
            now.holding = now.holding or bool(delta.get("tool_calls") or delta.get("function_call"))
        if now.holding or finished or (delta is None and value.get("choices") == []):
            now.holding = True
            now.events.append(event)
            return
        yield from self._passed(event, value, delta)

    def round(self) -> Round:
        """The round that has ended."""
        now = self._now
        return chat_round(now.deltas, now.usage)

    def answered(self) -> None:
        """Nobody sees the rest of this round: its calls were answered, and another one follows."""
        self._said += "".join(self._now.text)
        self._usage = added_up(self._usage, self._now.usage)
        self._now = _Held()
        self._number += 1

    def last(self) -> Iterator[bytes]:
        """The rest of the last round; without calls of ours, if it has any all the same."""
        now = self._now
        calls = {call.name for call in self.round().calls}
        drops = bool(calls & set(self._names))
        for event in now.events:
            value = event.value()
            delta, finished = _delta(value)
            if drops and delta is not None:
                if not finished:
                    continue
                value["choices"][0] |= {"delta": {}, "finish_reason": "stop"}
            if self._number == 1 and not drops:
                yield event.raw
            else:
                yield written(self._rewritten(value))
        yield now.done

    def failed(self, error: Mapping[str, Any]) -> Iterator[bytes]:
        """The end of a stream whose next round has no answer."""
        yield written({"error": error})
        yield b"data: " + DONE + b"\n\n"

    def _passed(
        self, event: StreamEvent, value: dict[str, Any], delta: Mapping[str, Any] | None
    ) -> Iterator[bytes]:
        text = delta.get("content") if delta is not None else None
        if isinstance(text, str) and text:
            if self._said and not self._now.text:
                yield written(self._rewritten(value | {"choices": [_choice({"content": GAP})]}))
            self._now.text.append(text)
        if self._number == 1:
            yield event.raw
            return
        if delta is not None and "role" in delta:
            kept = {name: each for name, each in delta.items() if name != "role"}
            if not any(kept.values()):
                return  # the beginning of another round is no beginning of an answer
            value["choices"][0]["delta"] = kept
        yield written(self._rewritten(value))

    def _rewritten(self, value: dict[str, Any]) -> dict[str, Any]:
        """An event of a later round as one of the first answer."""
        if value.get("usage") is not None:
            value = value | {"usage": added_up(self._usage, value["usage"])}
        return value | self._first


def _choice(delta: Mapping[str, Any]) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": None}


def _delta(value: Mapping[str, Any]) -> tuple[dict[str, Any] | None, bool]:
    """The delta of the first choice, if there is one, and whether it is the last."""
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        return None, False
    delta = first.get("delta")
    return (delta if isinstance(delta, dict) else {}), first.get("finish_reason") is not None


def chat_round(messages: Sequence[dict[str, Any]], usage: Any) -> Round:
    """The round of a completion, from its message or from the deltas of it."""
    calls = tool_calls(messages)
    text = "".join(each for one in messages if isinstance(each := one.get("content"), str))
    said: dict[str, Any] = {"role": "assistant", "content": text or None}
    reasons = (one.get("reasoning_content") for one in messages)
    reasoning = "".join(each for each in reasons if isinstance(each, str))
    if reasoning:
        # Some servers refuse a call whose reasoning is not repeated.
        said["reasoning_content"] = reasoning
    said["tool_calls"] = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for call in calls
    ]
    return Round((said,), calls, text, usage)
