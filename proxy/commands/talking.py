"""A conversation through the proxy with the `openai` client, and what the proxy says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import openai

from recollect.config import Settings

from .api_client import ProxyRefusedError, ask, authority
from .base import CommandError

NO_KEY = "none"
"""Sent where no key is named: servers that need none ignore it. The client would otherwise take one
from the environment, which may be for another server."""
_ASK_WHY = {"x-recollect-debug": "explain"}
_SHOWN = 300
"""Characters of what a server says of its refusal."""


@dataclass(slots=True)
class HeardAnswer:
    """One message and its answer, which is complete when `pieces` has ended."""

    headers: Mapping[str, str]
    pieces: Iterator[str] = field(default_factory=lambda: iter(()))
    heard: list[str] = field(default_factory=list)

    @property
    def answer(self) -> str:
        """What was heard so far."""
        return "".join(self.heard)

    @property
    def outcome(self) -> str:
        """`injected`, `empty`, `skipped`, `degraded` or `off`."""
        return self.headers.get("x-recollect-memory", "unknown")

    @property
    def reason(self) -> str:
        """The word for it."""
        return self.headers.get("x-recollect-reason", "unknown")

    @property
    def count(self) -> int:
        """How many memories the model was given."""
        return int(self.headers.get("x-recollect-count", 0))

    @property
    def ids(self) -> list[str]:
        """Of the memories that were chosen; none where the proxy does not explain chats."""
        try:
            told = json.loads(self.headers.get("x-recollect-explain", "{}"))
            return [one["id"] for one in told["memories"] if one["reason"] == "chosen"]
        except (ValueError, KeyError, TypeError):
            return []


class Talk:
    """The conversation so far; each message is sent with all before it."""

    def __init__(
        self, settings: Settings, *, user: str | None, model: str | None, key: str | None
    ) -> None:
        """Without `model` it is the first that the server names. Raises CommandError."""
        self._settings = settings
        self._user = user
        self._messages: list[Any] = []
        self._client = openai.OpenAI(
            base_url=f"http://{authority(settings.listen.host, settings.listen.port)}/v1",
            api_key=key or NO_KEY,
            max_retries=0,
        )
        self.model = model or self._first_model()

    def _first_model(self) -> str:
        try:
            found = self._client.models.list().data
        except openai.OpenAIError as error:
            raise _failed(error) from None
        if not found:
            raise CommandError("the model server names no model: say --model")
        return found[0].id

    def begin(self, text: str) -> HeardAnswer:
        """Send a message; its answer comes in pieces. Raises CommandError."""
        self._messages.append({"role": "user", "content": text})
        named = {"x-recollect-user": self._user} if self._user and self._user.isascii() else {}
        try:
            answer = self._client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=self._messages,
                stream=True,
                user=self._user or openai.omit,
                extra_headers={**_ASK_WHY, **named},
            )
        except openai.OpenAIError as error:
            raise _failed(error) from None
        turn = HeardAnswer(answer.headers)
        turn.pieces = self._pieces(turn, answer.parse())
        return turn

    def _pieces(self, turn: HeardAnswer, chunks: openai.Stream[Any]) -> Iterator[str]:
        try:
            for chunk in chunks:
                if chunk.choices and (text := chunk.choices[0].delta.content):
                    turn.heard.append(text)
                    yield text
        except openai.OpenAIError as error:
            raise _failed(error) from None
        self._messages.append({"role": "assistant", "content": turn.answer})

    def recalled(self, turn: HeardAnswer) -> list[dict[str, Any]]:
        """The chosen memories with their texts, as far as the memory API shows them."""
        return [{"id": one, **self._text_of(one)} for one in turn.ids]

    def _text_of(self, memory_id: str) -> dict[str, Any]:
        path = f"/v1/memories/{quote(memory_id, safe='')}"
        try:
            found = ask(self._settings, self._settings.identity.tenant, path)
        except ProxyRefusedError:
            return {}
        return {"memory": found["memory"]} if found else {}


def _failed(error: openai.OpenAIError) -> CommandError:
    if isinstance(error, openai.APIStatusError):
        said = " ".join(str(error.message).split())[:_SHOWN]
        hint = "; see --key-file" if error.status_code in {401, 403} else ""
        return CommandError(f"no answer: {said}{hint}")
    return CommandError(f"no answer: {' '.join(str(error).split())[:_SHOWN]}")
