"""Renders conversations with chat templates, as model servers do, with memories in each place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from recollect.filters import Place
from recollect.filters.inject.filter import injection
from recollect.proxy.dialects.chat import parse_chat_body

ROOT = Path(__file__).resolve().parents[4]
TEMPLATES = ROOT.parent / "shared" / "data" / "templates"
BLOCK = "NOTES-OF-MEMORY: the user lives in Lisbon"
ASKED = "Where do I live?"
BOS, EOS = "<s>", "</s>"

Chat = list[dict[str, Any]]


class Fate(StrEnum):
    """What becomes of a memory in a prompt."""

    REACHES = "reaches"
    REFUSED = "refused"
    DROPPED = "dropped"


def says(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def calls(*names: str) -> dict[str, Any]:
    made = [
        {
            "id": f"call{n:05}",
            "type": "function",
            "function": {"name": name, "arguments": {"q": "x"}},
        }
        for n, name in enumerate(names)
    ]
    return says("assistant", "", tool_calls=made)


def results(*names: str) -> Chat:
    return [
        says("tool", "sunny", tool_call_id=f"call{n:05}", name=name) for n, name in enumerate(names)
    ]


SYSTEM, DEVELOPER = says("system", "Be kind."), says("developer", "Be kind.")
USER, HELLO, ANSWER = (
    says("user", ASKED),
    says("user", "Hello"),
    says("assistant", "Hi, I am here."),
)
PARTS = says("user", [{"type": "text", "text": ASKED}])
SHAPES: dict[str, Chat] = {
    "a question": [USER],
    "a system message first": [SYSTEM, USER],
    "a developer message first": [DEVELOPER, USER],
    "a second turn": [HELLO, ANSWER, USER],
    "a second turn under a system message": [SYSTEM, HELLO, ANSWER, USER],
    "a long talk": [SYSTEM, *[HELLO, ANSWER] * 6, USER],
    "the result of a tool": [USER, calls("weather"), *results("weather")],
    "the same under a system message": [SYSTEM, USER, calls("weather"), *results("weather")],
    "two results at once": [SYSTEM, USER, calls("weather", "time"), *results("weather", "time")],
    "after a turn with a tool": [
        SYSTEM,
        HELLO,
        calls("weather"),
        *results("weather"),
        ANSWER,
        USER,
    ],
    "a question in parts": [SYSTEM, PARTS],
    "an answer that is begun": [SYSTEM, USER, says("assistant", "You live in")],
}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Tells.",
            "parameters": {
                "type": "object",
                "properties": {"q": {"type": "string", "description": "What."}},
                "required": ["q"],
            },
        },
    }
    for name in ("weather", "time")
]


def names() -> list[str]:
    """The templates that are there; none where the evaluation data is missing."""
    return sorted(path.stem for path in TEMPLATES.glob("*.jinja"))


@cache
def compiled(source: str) -> jinja2.Template:
    """A template, in the environment that llama.cpp and transformers give it."""

    def refuse(message: str) -> None:
        raise jinja2.TemplateError(message)

    def as_json(value: Any, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=False, indent=options.get("indent"))

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.filters["tojson"] = as_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda form: datetime(2026, 11, 25, tzinfo=UTC).strftime(
        form
    )
    return environment.from_string(source)


def rendered(source: str, chat: Chat, tools: Sequence[Any] | None) -> str | None:
    """The prompt; None if the template refuses the conversation."""
    try:
        return compiled(source).render(
            messages=chat,
            tools=tools,
            # Firefunction's own names for the tools and the day.
            functions=json.dumps(tools or []),
            datetime="2026-11-25",
            bos_token=BOS,
            eos_token=EOS,
            add_generation_prompt=True,
        )
    except (jinja2.TemplateError, TypeError, ValueError, KeyError):
        return None


def with_memory(chat: Chat, place: Place) -> Chat:
    """The conversation as the product sends it."""
    body = parse_chat_body(json.dumps({"messages": chat}).encode())
    placed = injection(body.messages, BLOCK, place)
    assert placed is not None
    sent: Chat = json.loads(body.inject([placed]))["messages"]
    return sent


def cases(source: str) -> Iterator[tuple[str, Chat, Sequence[Any] | None]]:
    """The conversations that a template takes as they are, with and without tools."""
    for name, chat in SHAPES.items():
        for tools in (None, TOOLS):
            prompt = rendered(source, chat, tools)
            if prompt is not None and ASKED in prompt:
                yield name, chat, tools


def fate(source: str, chat: Chat, tools: Sequence[Any] | None, place: Place) -> Fate:
    """What becomes of a memory in this place."""
    prompt = rendered(source, with_memory(chat, place), tools)
    if prompt is None:
        return Fate.REFUSED
    return Fate.REACHES if BLOCK in prompt and ASKED in prompt else Fate.DROPPED


def sources() -> dict[str, str]:
    return {name: (TEMPLATES / f"{name}.jinja").read_text("utf-8") for name in names()}
