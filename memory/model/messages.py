"""Chat messages as the engine reads them: roles and text, whatever the content's shape. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .errors import InvalidInputError
from .inputs import check_unicode
from .types import Message, ToolCall

MAX_MESSAGES = 1000
"""For one call of `add`: a conversation of days."""
MAX_RUN_MESSAGES = 25_000
"""For one run of an agent: ten thousand calls of tools, with their results."""
MAX_IMAGE_CHARS = 8_000_000
"""Longest URL of a picture: 6 MB in base64."""
IMAGE = "[image]"
"""Replaces a picture, so that "what is this?" does not look self-contained."""

TOOL_ROLES = frozenset({"tool", "function"})
"""Roles of tool results; ``function`` is from before the API had tools."""
INSTRUCTIONS = frozenset({"system", "developer"})
"""Roles of instructions for the assistant: nothing is ever learned from them."""

_TEXT_PARTS = {"text", "input_text", "output_text", "refusal"}
_OTHER_PARTS = {
    "image_url": IMAGE,
    "input_image": IMAGE,
    "input_audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
}


def content_text(content: Any, *, apart: bool = False) -> str:
    """The text of a message's content: a string, a list of parts, or nothing. Never raises.

    With `apart` each text part is a paragraph, so that what stands in one says nothing of another:
    the second one of a user's message may be a document. What replaces a picture belongs to the
    words beside it.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [text for part in content if (text := _part_text(part))]
    if not apart:
        return "\n".join(texts)
    marks = _OTHER_PARTS.values()
    joined = texts[:1]
    for before, text in pairwise(texts):
        joined += ["\n" if before in marks or text in marks else "\n\n", text]
    return "".join(joined)


def content_images(content: Any) -> tuple[str, ...]:
    """URLs of the pictures in a message's content, in order. Never raises."""
    if not isinstance(content, list):
        return ()
    return tuple(filter(None, map(_image_url, content)))


def _image_url(part: Any) -> str:
    """The Chat API wraps the URL in an object, the Responses API does not."""
    if not isinstance(part, dict) or part.get("type") not in ("image_url", "input_image"):
        return ""
    url = part.get("image_url")
    return _string(url.get("url")) if isinstance(url, dict) else _string(url)


def read_message(item: Any) -> Message:
    """A message of the Chat API, reduced; anything else gets an empty role. Never raises."""
    if not isinstance(item, dict):
        return Message(role="", content="")
    content, role = item.get("content"), _string(item.get("role"))
    if isinstance(content, str) and item.keys() <= _PLAIN:
        return Message(role=role, content=content)  # as nearly all
    call_id = item.get("tool_call_id")
    return Message(
        role=role,
        content=content_text(content, apart=role == "user"),
        calls=_calls(item),
        call_id=call_id if isinstance(call_id, str) else None,
        images=content_images(content),
        name=_speaker(item.get("name")) if role == "user" else None,
    )


_PLAIN = frozenset({"role", "content"})
"""The fields of most messages."""


def _speaker(name: Any) -> str | None:
    """The `name` of a message; None if it is empty, as some clients send it."""
    return (name.strip() or None) if isinstance(name, str) else None if name is None else ""


def _calls(item: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    calls = item.get("tool_calls")
    if isinstance(calls, list):
        return tuple(
            _call(call, _string(call.get("id"))) for call in calls if isinstance(call, dict)
        )
    # The form from before the API had tools: one call, without an id.
    call = item.get("function_call")
    return (_call({"function": call}, ""),) if isinstance(call, dict) else ()


def _call(call: Mapping[str, Any], call_id: str) -> ToolCall:
    """Custom tools have an input instead of arguments."""
    part = call.get("function") or call.get("custom")
    if not isinstance(part, dict):
        return ToolCall("", "", call_id)
    arguments = _string(part.get("arguments")) or _string(part.get("input"))
    return ToolCall(_string(part.get("name")), arguments, call_id)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    if not isinstance(kind, str):
        return ""
    if kind in _TEXT_PARTS:
        text = part.get("text", part.get("refusal"))
        return text if isinstance(text, str) else ""
    return _OTHER_PARTS.get(kind, "")


def in_pieces(sentences: Iterable[str], enough: int, longest: int) -> Iterator[str]:
    """The sentences of a text in few pieces: each ends with the one that makes it long `enough`.

    A sentence of more than the `longest` characters is cut.
    """
    piece = ""
    for sentence in sentences:
        told = " ".join(sentence.split())
        for at in range(0, len(told), longest):
            part = told[at : at + longest]
            piece = f"{piece} {part}" if piece else part
            if len(piece) >= enough:
                yield piece
                piece = ""
    if piece:
        yield piece


def shorten(text: str, max_chars: int) -> str:
    """The beginning and the end of a text that is longer than `max_chars` characters.

    A fact is rarely in the middle of a paste.
    """
    if len(text) <= max_chars:
        return text
    half = max_chars // 2
    return f"{text[:half]}\n[...]\n{text[-half:]}"


def parse_messages(value: Any, *, most: int = MAX_MESSAGES) -> list[Message]:
    """The argument of `add` as messages: a string, one message, or a list of them, at `most`.

    Raises:
        InvalidInputError: names the message and what was expected.
    """
    if isinstance(value, str):
        value = [{"role": "user", "content": value}]
    elif isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence):
        raise InvalidInputError("messages", "expected a string or a list of messages")
    if len(value) > most:
        raise InvalidInputError("messages", f"must be at most {most}; send them in parts")
    return [_message(f"messages[{number}]", item) for number, item in enumerate(value)]


def _message(field: str, item: Any) -> Message:
    if isinstance(item, Message):
        return _of_text(field, item)
    if not isinstance(item, Mapping):
        raise InvalidInputError(field, "expected an object with role and content")
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or not role:
        raise InvalidInputError(f"{field}.role", "expected a role such as user or assistant")
    if content is not None and not isinstance(content, (str, list)):
        raise InvalidInputError(f"{field}.content", "expected text or a list of parts")
    for number, part in enumerate(content if isinstance(content, list) else ()):
        _check_picture(f"{field}.content[{number}]", _image_url(part))
    return _of_text(field, read_message(item))


def _check_picture(field: str, url: str) -> None:
    if len(url) > MAX_IMAGE_CHARS:
        size, most = (-(-chars * 3 // 4 // 1_000_000) for chars in (len(url), MAX_IMAGE_CHARS))
        raise InvalidInputError(field, f"the picture has {size} MB: at most {most} MB")


def _of_text(field: str, message: Message) -> Message:
    for url in message.images:
        _check_picture(f"{field}.images", url)
    check_unicode(f"{field}.role", message.role)
    check_unicode(f"{field}.content", message.content)
    called = [text for call in message.calls for text in (call.name, call.arguments)]
    check_unicode(field, "".join((*called, *message.images)))
    return message


_LEFT_OUT = "[not kept: ", "]"


def left_out(why: str) -> str:
    """What stands in the place of a text that is not kept."""
    return why.join(_LEFT_OUT)


def is_left_out(text: str) -> bool:
    """Whether a text stands in the place of one that is not kept."""
    return text.startswith(_LEFT_OUT[0]) and text.endswith(_LEFT_OUT[1])
