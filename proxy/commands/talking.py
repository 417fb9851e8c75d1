"""A conversation through the proxy with the `openai` client, and what the proxy says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
        self.headers: Mapping[str, str] = {}
        """Of the last answer."""
        self.model = model or self._first_model()

    def _first_model(self) -> str:
        with _telling():
            found = self._client.models.list().data
        if not found:
            raise CommandError("the model server names no model: say --model")
        return found[0].id

    def ask(self, text: str) -> Iterator[str]:
        """Send a message; its answer comes in pieces. Raises CommandError."""
        self._messages.append({"role": "user", "content": text})
        named = {"x-recollect-user": self._user} if self._user and self._user.isascii() else {}
        heard: list[str] = []
        with _telling():
            answer = self._client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=self._messages,
                stream=True,
                user=self._user or openai.omit,
                extra_headers={**_ASK_WHY, **named},
            )
            self.headers = answer.headers
            for chunk in answer.parse():
                if chunk.choices and (piece := chunk.choices[0].delta.content):
                    heard.append(piece)
                    yield piece
        self._messages.append({"role": "assistant", "content": "".join(heard)})

    def told(self, name: str) -> str:
        """What the proxy says of memory in the last answer."""
        return self.headers.get(f"x-recollect-{name}", "unknown")

    def recalled(self) -> list[dict[str, Any]]:
        """The memories of the last answer with their texts, as far as the API shows them."""
        try:
            told = json.loads(self.headers.get("x-recollect-explain", "{}"))
            ids = [one["id"] for one in told["memories"] if one["reason"] == "chosen"]
        except (ValueError, KeyError, TypeError):
            return []
        return [{"id": one, **self._text_of(one)} for one in ids]

    def _text_of(self, memory_id: str) -> dict[str, Any]:
        path = f"/v1/memories/{quote(memory_id, safe='')}"
        try:
            found = ask(self._settings, self._settings.identity.tenant, path)
        except ProxyRefusedError:
            return {}
        return {"memory": found["memory"]} if found else {}


@contextmanager
def _telling() -> Iterator[None]:
    """A failure in words."""
    try:
        yield
    except openai.OpenAIError as error:
        refused = isinstance(error, openai.APIStatusError) and error.status_code in {401, 403}
        said = " ".join(str(getattr(error, "message", error)).split())[:_SHOWN]
        hint = "; see --key-file" if refused else ""
        raise CommandError(f"no answer: {said}{hint}") from None
