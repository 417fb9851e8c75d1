"""One ordinary answer of Chat Completions made of several rounds; of a stream as it comes. Pure.

Text is passed on as it comes. Calls are held back until their round ends: then either the round has
none of ours, and its events are passed on as they came, or it is answered and nobody sees it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recollect.memory.model.types import ToolCall
from recollect.memory.tools import openai_tools

from ...dialects.chat import tool_calls
from .events import DONE, StreamEvent, written
from .rounds import GAP, Results, Round, added_up
from .splicing import appended

_OF_CALLS = frozenset({"tool_calls", "function_call"})
"""The fields of a delta that hold calls, and the reasons to finish because of them."""


@dataclass(slots=True)
class _Held:
    """What is known of the round that is being received."""

    events: list[StreamEvent] = field(default_factory=list)
    deltas: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    """What the client has not: it came with calls, or after them."""
    shown: bool = False
    """Whether the client has any text of it."""
    holding: bool = False
    finished: bool = False
    failed: bool = False
    usage: Any = None
    done: bytes = b""


class ChatRounds:
    """Takes the answer of each round, and gives what the client gets."""

    def __init__(self, names: Container[str], own: Any = None) -> None:
        """`names` are those of our tools; no answer repeats `own`, the client's."""
        del own
        self._names = names
        self._is_first = True
        self._first: dict[str, Any] = {}
        """Of the first event: what makes one answer of all."""
        self._said = ""
        """The text that the client has, or gets of earlier rounds."""
        self._usage: Any = None
        """Of earlier rounds."""
        self._now = _Held()

    rendered = staticmethod(openai_tools)
    """Our tools as a request has them."""

    @staticmethod
    def continued(raw: bytes, one: Round, results: Results) -> bytes:
        """The next request: what the model said, and what its calls answered. Raises ValueError."""
        answered = [
            {"role": "tool", "tool_call_id": call.id, "content": result} for call, result in results
        ]
        return appended(raw, "messages", [*one.said, *answered])

    @staticmethod
    def read(document: Mapping[str, Any]) -> Round:
        """The round of an answer in one piece."""
        message = _message(document)
        return _round([] if message is None else [message], document.get("usage"))

    def after(self, one: Round) -> None:
        """Note a round in one piece whose calls were answered; another one follows."""
        self._said = f"{self._said}{GAP * bool(self._said and one.text)}{one.text}"
        self._goes_on(one.usage)

    def whole(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """The answer in one piece, with texts and tokens of all rounds, without calls of ours.

        None: as it came.
        """
        one, message = self.read(document), _message(document)
        if self._is_first and not one.ours(self._names):
            return None
        if message is None:
            return document
        if (usage := added_up(self._usage, one.usage)) is not None:
            document["usage"] = usage
        if self._said:
            message["content"] = GAP.join(filter(None, (self._said, message.get("content"))))
        _drop_calls(document["choices"][0], message, self._names)
        return document

    def take(self, event: StreamEvent) -> Iterator[bytes]:
        """What goes to the client at once."""
        now = self._now
        if event.is_done:
            now.done = event.raw
            return
        value = event.value()
        delta, finished = _delta(value)
        now.finished = now.finished or finished
        now.failed = now.failed or bool(value.get("error"))
        if value.get("usage") is not None:
            now.usage = value["usage"]
        self._first = self._first or {
            name: value[name] for name in ("id", "created") if name in value
        }
        if delta is not None:
            now.deltas.append(delta)
        counted = delta is None and value.get("choices") == [] and "usage" in value
        calls = delta is not None and any(delta.get(name) for name in _OF_CALLS)
        now.holding = now.holding or finished or counted or calls
        if now.holding:
            now.events.append(event)
            now.text += _text(delta)
        else:
            yield from self._passed(event, value, delta)

    def round(self) -> Round:
        """The round that has ended."""
        now = self._now
        broken = now.failed or not (now.finished or now.done)
        return replace(_round(now.deltas, now.usage), broken=broken)

    def answered(self) -> bytes:
        """The rest of a round whose calls were answered: its text; another round follows."""
        rest = b"".join(self._rest_of_text())
        self._goes_on(self._now.usage)
        return rest

    def last(self) -> Iterator[bytes]:
        """The rest of the last round; without calls of ours, if it has any all the same."""
        now = self._now
        calls = self.round().calls
        if any(call.name in self._names for call in calls):
            yield from self._without(calls)
        else:
            if now.text:
                yield from self._gap()
            for event in now.events:
                yield event.raw if self._is_first else written(self._rewritten(event.value()))
        yield now.done

    def failed(self, error: Mapping[str, Any]) -> Iterator[bytes]:
        """The end of a stream whose next round has no answer."""
        yield written({"error": error})
        yield b"data: " + DONE + b"\n\n"

    def _goes_on(self, usage: Any) -> None:
        self._usage = added_up(self._usage, usage)
        self._is_first, self._now = False, _Held()

    def _without(self, calls: Sequence[ToolCall]) -> Iterator[bytes]:
        """What is held, with the client's own calls only, each in one piece."""
        now = self._now
        yield from self._rest_of_text()
        kept = [] if now.failed else [each for each in calls if each.name not in self._names]
        for index, call in enumerate(kept):
            yield self._event({"tool_calls": [{"index": index, **_told(call)}]})
        for event in now.events:
            value = event.value()
            delta, finished = _delta(value)
            if delta is not None and not finished:
                continue
            if delta is not None:
                choice = value["choices"][0]
                reason = choice["finish_reason"]
                reason = "stop" if not kept and reason in _OF_CALLS else reason
                value["choices"] = [choice | {"delta": {}, "finish_reason": reason}]
            yield written(self._rewritten(value))

    def _rest_of_text(self) -> Iterator[bytes]:
        now = self._now
        if now.text:
            yield from self._gap()
            yield self._event({"content": now.text})
            self._show(now.text)
            now.text = ""

    def _gap(self, like: Mapping[str, Any] | None = None) -> Iterator[bytes]:
        """What is between the texts of two rounds, before the first of the second one."""
        if self._said and not self._now.shown:
            yield self._event({"content": GAP}, like)

    def _show(self, text: str) -> None:
        self._said += text
        self._now.shown = True

    def _event(self, delta: Mapping[str, Any], like: Mapping[str, Any] | None = None) -> bytes:
        """An event with this delta, like another one of the round."""
        known = [each.value() for each in self._now.events] if like is None else [like]
        value = next((each for each in known if each.get("choices")), {})
        kept = {name: each for name, each in value.items() if name != "usage"}
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        return written({**kept, "choices": [choice], **self._first})

    def _passed(
        self, event: StreamEvent, value: dict[str, Any], delta: Mapping[str, Any] | None
    ) -> Iterator[bytes]:
        if text := _text(delta):
            yield from self._gap(value)
            self._show(text)
        if self._is_first:
            yield event.raw
            return
        if delta is not None and "role" in delta:
            kept = {name: each for name, each in delta.items() if name != "role"}
            if not any(kept.values()):
                return  # the beginning of another round is no beginning of an answer
            value["choices"][0]["delta"] = kept
        yield written(self._rewritten(value))

    def _rewritten(self, value: dict[str, Any]) -> dict[str, Any]:
        """An event of a later round as one of the first answer; errors stay what they are."""
        if "choices" not in value:
            return value
        if value.get("usage") is not None:
            value = value | {"usage": added_up(self._usage, value["usage"])}
        return value | self._first


def _text(delta: Mapping[str, Any] | None) -> str:
    text = None if delta is None else delta.get("content")
    return text if isinstance(text, str) else ""


def _choice(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first choice, if there is one."""
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _delta(value: Mapping[str, Any]) -> tuple[dict[str, Any] | None, bool]:
    """The delta of the first choice, if there is one, and whether it is the last.

    Some servers send an empty reason with every delta.
    """
    first = _choice(value)
    if first is None:
        return None, False
    delta = first.get("delta")
    return (delta if isinstance(delta, dict) else {}), bool(first.get("finish_reason"))


def _message(document: Mapping[str, Any]) -> dict[str, Any] | None:
    message = (_choice(document) or {}).get("message")
    return message if isinstance(message, dict) else None


def _round(messages: Sequence[dict[str, Any]], usage: Any) -> Round:
    """The round of a completion, from its message or from the deltas of it.

    A call without an id gets one: the result must name it.
    """
    calls = tuple(
        call if call.id else replace(call, id=f"call_{number}")
        for number, call in enumerate(tool_calls(messages))
    )
    text = "".join(map(_text, messages))
    said: dict[str, Any] = {"role": "assistant", "content": text or None}
    reasons = (one.get("reasoning_content") for one in messages)
    reasoning = "".join(each for each in reasons if isinstance(each, str))
    if reasoning:
        # Some servers refuse a call whose reasoning is not repeated.
        said["reasoning_content"] = reasoning
    said["tool_calls"] = list(map(_told, calls))
    return Round((said,), calls, text, usage)


def _told(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _drop_calls(choice: dict[str, Any], message: dict[str, Any], names: Container[str]) -> None:
    """Leave the calls of tools with these names out of a message."""
    before = [name for name in _OF_CALLS if message.get(name)]
    if isinstance(calls := message.get("tool_calls"), list):
        message["tool_calls"] = [
            each
            for each in calls
            if not isinstance(each, dict) or _name(each.get("function")) not in names
        ]
        if calls and not message["tool_calls"]:
            del message["tool_calls"]
    if _name(message.get("function_call")) in names:
        del message["function_call"]
    after = any(message.get(name) for name in _OF_CALLS)
    if before and not after and choice.get("finish_reason") in _OF_CALLS:
        choice["finish_reason"] = "stop"


def _name(function: Any) -> Any:
    return function.get("name") if isinstance(function, dict) else None
