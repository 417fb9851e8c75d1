"""Any OpenAI-compatible chat endpoint, through the official client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..model.errors import (
    ModelBusyError,
    ModelError,
    ModelNotFoundError,
    ModelRefusedError,
    ModelSilentError,
    ModelTimeoutError,
    ModelUnauthorizedError,
    ModelUnavailableError,
    ModelUnreadableError,
)
from ..model.quantities import whole_of
from ..model.streaming import OnText, StreamedRequest
from ..model.types import ChatReply, ChatRequest, Message
from ..util.openai_client import (
    LONGEST_WAIT_SECONDS,
    RETRIES,
    connect_seconds,
    describe,
    load_openai,
    open_client,
)
from ..util.providers import JSON_FORMS, TOOL
from .answer_limits import PLAIN, give_up_late_answers, limit_answers
from .options import ModelServerOptions
from .streams import called_with, streamed

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CLASSIC = frozenset({"max_tokens", "temperature"})
"""OpenAI's reasoning models refuse these parameters; other models know no others."""

TOOL_NAME = "answer"
"""Of the one tool whose arguments are the answer, where a server takes no other form of JSON."""
WITHOUT_MEMORY = {"x-recollect-memory": "off"}

_LATER = frozenset({408, 409, 425, 429})
"""With these statuses, and all from 500 on, the same call may succeed later."""
_UNAUTHORIZED = frozenset({401, 403})
_NOT_FOUND = 404
_SERVER_ERRORS = 500
_WRONG: dict[type[ModelError], tuple[str, ...]] = {
    ModelUnavailableError: ("base_url",),
    ModelUnauthorizedError: ("api_key",),
    ModelNotFoundError: ("base_url", "model"),
}
"""The options that are probably wrong after these errors."""
MAX_TOKENS = 2**31
"""Of one call; more is no count."""


class OpenAIChatModel:
    """A `ChatModel`. Asks for JSON in the strictest format the server accepts, and remembers it.

    `setting` is the section of the options that configures it, None for a conversation's own
    upstream. Errors name the setting, and the variable of the environment that `variables` has for
    the option. The calls of a configured model ask for no memory, in case its server is a
    Recollect: prompts of the engine must be neither extended nor learned.
    """

    def __init__(
        self,
        options: ModelServerOptions,
        *,
        setting: str | None = None,
        variables: Mapping[str, str] | None = None,
        retries: int | None = None,
    ) -> None:
        """`retries` of a call, if they are others than `RETRIES`."""
        self.options = options
        self._retries = RETRIES if retries is None else retries
        self._setting = setting
        keys = options.known.keys if options.known else ()
        self._variables = variables or ({"api_key": keys[0]} if keys else {})
        self._headers = PLAIN if setting is None else {**PLAIN, **WITHOUT_MEMORY}
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        known = options.known
        self._format = 0 if known is None else JSON_FORMS.index(known.json)
        self._calls = JSON_FORMS[self._format] == TOOL
        self._streams = True
        """Whether the server is not known to refuse streams."""
        self._counts = known is None or known.usage
        """Whether a stream can be asked for its usage."""
        self._classic = known is None or known.tokens in _CLASSIC
        self._longest = longest_call(options, self._retries)

    async def complete(self, request: ChatRequest) -> ChatReply:
        await load_openai()
        import openai

        attempts = self._attempts(request)
        for tried, on_text in attempts:
            try:
                completion = await self._create(request, tried, on_text)
            except openai.BadRequestError as error:
                # Servers without json_schema answer 400, each with its own text.
                if (tried, on_text) == attempts[-1]:
                    raise ModelRefusedError(describe(error)) from None
            except (openai.OpenAIError, ValueError) as error:
                # ValueError: invalid JSON. The cause is dropped: its text may hold the key.
                raise self._failure(error) from None
            else:
                if request.schema is not None:
                    # Only after a success: a 400 about anything else says nothing about the format.
                    self._format = max(self._format, JSON_FORMS.index(tried))
                self._streams = self._streams and on_text is attempts[0][1]
                return _reply(completion, called=tried == TOOL)
        raise AssertionError("unreachable: the last format returns or raises")

    def _attempts(self, request: ChatRequest) -> list[tuple[str, OnText | None]]:
        """The formats to ask for, the strictest first: streamed, and then without, if asked to."""
        forms = [one for one in JSON_FORMS[self._format :] if one != TOOL or self._calls]
        formats = forms if request.schema is not None else ["text"]
        plain: list[tuple[str, OnText | None]] = [(tried, None) for tried in formats]
        if not isinstance(request, StreamedRequest) or not self._streams:
            return plain
        return [*((tried, request.on_text) for tried in formats), *plain]

    async def close(self) -> None:
        async with self._opening:
            if self._client is not None:
                await self._client.close()
                self._client = None

    async def _create(self, request: ChatRequest, tried: str, on_text: OnText | None) -> Any:
        import openai

        try:
            return await self._send(request, tried, on_text)
        except openai.BadRequestError as error:
            if not self._classic or str(error.param) not in _CLASSIC:
                raise
        self._classic = False
        return await self._send(request, tried, on_text)

    async def _send(self, request: ChatRequest, tried: str, on_text: OnText | None) -> Any:
        """A completion, or what a stream told of one."""
        messages: Any = [
            {"role": message.role, "content": _content(message)} for message in request.messages
        ]
        extra: dict[str, Any] = (
            {"max_tokens": request.max_tokens, "temperature": request.temperature}
            if self._classic
            else {"max_completion_tokens": request.max_tokens}
        )
        extra |= _form(tried, request.schema)
        if on_text is not None:
            extra["stream"] = True
            if self._counts:
                extra["stream_options"] = {"include_usage": True}
        client = await self._open()
        try:
            async with asyncio.timeout(self._longest):
                answer: Any = await client.chat.completions.create(
                    model=self.options.model,
                    messages=messages,
                    extra_headers=self._headers,
                    **extra,
                )
                return answer if on_text is None else await streamed(answer, on_text)
        except TimeoutError:
            raise ModelTimeoutError("the answer came too slowly") from None

    async def _open(self) -> AsyncOpenAI:
        async with self._opening:  # one client keeps the connections together
            if self._client is None:
                client = await open_client(
                    base_url=self.options.base_url,
                    api_key=self.options.api_key,
                    timeout_seconds=self.options.timeout_seconds,
                    max_retries=self._retries,
                    known=self.options.known,
                )
                limit_answers(client)
                give_up_late_answers(client)
                self._client = client
            return self._client

    def _failure(self, error: Exception) -> ModelError:
        failure = _failure(error)
        fields = () if self._setting is None else _WRONG.get(type(failure), ())
        named = " and ".join(map(self._named, fields))
        return type(failure)(f"{failure}; check {named}") if named else failure

    def _named(self, field: str) -> str:
        variable = self._variables.get(field)
        return f"{self._setting}.{field}" + (f" (or {variable})" if variable else "")


def longest_call(options: ModelServerOptions, retries: int = RETRIES) -> float:
    """Longest time of one call with its retries, in seconds.

    The client's own timeout applies to each read, so an answer that arrives in drips would never
    end.
    """
    connecting = connect_seconds(options.timeout_seconds)
    return (retries + 1) * options.timeout_seconds + retries * LONGEST_WAIT_SECONDS + connecting


def _failure(error: Exception) -> ModelError:
    import openai

    if isinstance(error, openai.APIConnectionError):
        return ModelUnavailableError(describe(error))
    status: int | None = getattr(error, "status_code", None)
    return _kind(status)(describe(error))


def _kind(status: int | None) -> type[ModelError]:
    """The error of a call that ended with this status; None if the answer made no sense."""
    if status is None:
        return ModelUnreadableError
    if status in _LATER or status >= _SERVER_ERRORS:
        return ModelBusyError
    if status in _UNAUTHORIZED:
        return ModelUnauthorizedError
    return ModelNotFoundError if status == _NOT_FOUND else ModelRefusedError


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Text, or a list of parts if there are pictures."""
    if not message.images:
        return message.content
    pictures = [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
    return [{"type": "text", "text": message.content}, *pictures]


def _form(tried: str, schema: Any) -> dict[str, Any]:
    """The parameters that ask for an answer of this form."""
    match tried:
        case "json_schema":
            named = {"name": "facts", "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "tool":
            tool = {"name": TOOL_NAME, "description": _TOOL_TOLD, "parameters": schema}
            return {
                "tools": [{"type": "function", "function": tool}],
                # Of one tool the same as its name, and what more servers understand.
                "tool_choice": "required",
            }
        case _:
            return {}


_TOOL_TOLD = "Takes the answer; call it once, with all of it."


def _reply(completion: Any, *, called: bool = False) -> ChatReply:
    """`called`: a call of the tool was asked for; a model may answer in words all the same."""
    # The client does not check shapes: anything else arrives as text, or with missing fields.
    choices: Any = getattr(completion, "choices", None)
    message = (
        getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    )
    arguments = called_with(message) if called else []
    if message is None or not (arguments or hasattr(message, "content")):
        raise ModelUnreadableError("the answer was not a chat completion with a choice")
    # Some servers put a reasoning model's whole answer into `reasoning_content` and leave the
    # content empty. An answer that is empty in both is a failure, not "no facts".
    said = "".join(arguments) or getattr(message, "content", None)
    text = said or getattr(message, "reasoning_content", None) or ""
    if not isinstance(text, str) or not text.strip():
        raise ModelSilentError(
            f"the model answered nothing ({getattr(choices[0], 'finish_reason', None)})"
        )
    return ChatReply(
        text=text,
        model=_name_of(completion),
        prompt_tokens=_tokens(completion, "prompt_tokens"),
        completion_tokens=_tokens(completion, "completion_tokens"),
    )


def _name_of(completion: Any) -> str:
    """The model that the server says; "" if that is no text."""
    name = getattr(completion, "model", None)
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) else ""


def _tokens(completion: Any, name: str) -> int:
    """What the server counted; 0 if that is no number of tokens: a ledger adds them up."""
    return whole_of(getattr(completion.usage, name, None), 0, MAX_TOKENS) or 0
