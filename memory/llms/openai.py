"""Any OpenAI-compatible chat endpoint, through the official client."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..types import ChatReply, ChatRequest
from .options import OpenAIChatOptions

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

OPENAI_BASE_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What servers that check no key are sent: the client library insists on one."""

_FORMATS = ("json_schema", "json_object", "text")


class OpenAIChatModel:
    """A `ChatModel`. Asks for JSON in the strictest way the server accepts, and remembers which."""

    def __init__(self, options: OpenAIChatOptions) -> None:
        self.options = options
        self._client: AsyncOpenAI | None = None
        self._format = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        import openai

        formats = _FORMATS[self._format :] if request.schema is not None else ("text",)
        for tried in formats:
            try:
                completion = await self._create(request, tried)
            except openai.BadRequestError as error:
                # Servers that know no json_schema say so with a 400, each in its own words.
                if tried == formats[-1]:
                    raise ModelError(_reason(error)) from None
            except (openai.OpenAIError, ValueError) as error:
                # ValueError: JSON that is none. No cause is kept: its text may hold the key.
                raise ModelError(_reason(error)) from None
            else:
                if request.schema is not None:
                    # Only now: a 400 about anything else says nothing about the format.
                    self._format = max(self._format, _FORMATS.index(tried))
                return _reply(completion)
        raise AssertionError("unreachable: the last format returns or raises")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _create(self, request: ChatRequest, tried: str) -> ChatCompletion:
        messages: Any = [{"role": m.role, "content": m.content} for m in request.messages]
        extra: dict[str, Any] = {}
        if shape := _response_format(tried, request.schema):
            extra["response_format"] = shape
        completion: ChatCompletion = await self._open().chat.completions.create(
            model=self.options.model,
            messages=messages,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            **extra,
        )
        return completion

    def _open(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI

            key = self.options.api_key
            client = AsyncOpenAI(
                base_url=self.options.base_url or OPENAI_BASE_URL,
                api_key=key.get_secret_value() if key else NO_KEY,
                timeout=self.options.timeout_seconds,
                max_retries=self.options.max_retries,
            )
            # The SDK takes these from the environment, which is not ours to read here: they would
            # bill another organisation, or replace the key of the client whose turn is learned.
            client.organization = client.project = None
            client._custom_headers = {}  # noqa: SLF001 - there is no public way to refuse them
            self._client = client
        return self._client


def _response_format(tried: str, schema: Any) -> dict[str, Any] | None:
    match tried:
        case "json_schema":
            return {
                "type": "json_schema",
                "json_schema": {"name": "facts", "strict": True, "schema": schema},
            }
        case "json_object":
            return {"type": "json_object"}
        case _:
            return None


def _reply(completion: ChatCompletion) -> ChatReply:
    # The client checks no shapes: what is no completion arrives as text, or with fields missing.
    choices: Any = getattr(completion, "choices", None)
    message = choices[0].message if isinstance(choices, list) and choices else None
    if message is None:
        raise ModelError("the answer was no chat completion with a choice")
    # Some servers put a reasoning model's whole answer into `reasoning_content` and leave the
    # content empty; an answer that is empty in both is a failure, not "no facts".
    text = message.content or getattr(message, "reasoning_content", None) or ""
    if not isinstance(text, str) or not text.strip():
        raise ModelError(f"the model answered nothing ({choices[0].finish_reason})")
    usage = completion.usage
    return ChatReply(
        text=text,
        model=completion.model,
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
    )


def _reason(error: Exception) -> str:
    """What failed, without the request: error texts of some servers repeat the key."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__}{f' (HTTP {status})' if status else ''}"
