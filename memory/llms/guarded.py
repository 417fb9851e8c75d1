"""Models whose servers are left alone for a while after failures in a row, and who gives them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..model.costs import ModelIdentity
from ..model.errors import (
    ConfigError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RecollectError,
    ServerRestsError,
    WithheldError,
)
from ..model.ports import ChatModel, ModelSource
from ..model.types import ChatReply, ChatRequest, MemoryItem, Turn
from ..util.breaker import Breaker
from ..util.destinations import Destination
from .fallback import FallbackModel
from .openai import OpenAIChatModel
from .options import ModelServerOptions, OpenAIChatOptions

RequestCheck = Callable[[ChatRequest, Sequence[Destination]], Awaitable[None]]
"""Raises WithheldError if a request may not go to one of these."""


def guarded_model(
    options: ModelServerOptions,
    *,
    setting: str | None = None,
    variables: Mapping[str, str] | None = None,
    retries: int | None = None,
) -> GuardedModel:
    """The model of these options behind a breaker of its own; see `OpenAIChatModel`."""
    model: ChatModel = OpenAIChatModel(
        options, setting=setting, variables=variables, retries=retries
    )
    if isinstance(options, OpenAIChatOptions) and options.fallback is not None:
        other = guarded_model(
            options.fallback, setting=setting and f"{setting}.fallback", retries=retries
        )
        first = GuardedModel(model, options, counts_timeouts=True)
        model = FallbackModel(first, other, setting or "the model")
    return GuardedModel(model, options, identity_of(options, configured=setting is not None))


def identity_of(options: ModelServerOptions, *, configured: bool) -> ModelIdentity:
    """Which model these options mean.

    A configured one is another after any change of its address, key or time limit. Of a
    conversation's own upstream the key does not count: each client sends its own.
    """
    told = [options.base_url or ""]
    if configured:
        key = options.api_key
        told += [str(options.timeout_seconds), key.get_secret_value() if key else ""]
    digest = hashlib.blake2b("\0".join(told).encode(), digest_size=8)
    return ModelIdentity(options.model, digest.hexdigest())


class GuardedModel:
    """A `ChatModel` that does not call a server that is down: its calls fail at once.

    Only failures of the server count, such as 503 or no connection. A refusal is an answer, and a
    timeout says that the model is slow for one text. With `counts_timeouts` it is a failure: there
    is another model, which would wait for this one at each text.
    """

    def __init__(
        self,
        model: ChatModel,
        options: ModelServerOptions,
        identity: ModelIdentity | None = None,
        *,
        counts_timeouts: bool = False,
    ) -> None:
        self.options = options
        self.identity = identity or identity_of(options, configured=True)
        self._model = model
        self._breaker = Breaker()
        self.check: RequestCheck | None = None
        """Is asked before each call where it goes to; None: nothing is kept from any model."""
        late = (ModelTimeoutError,) if counts_timeouts else ()
        self._failures: tuple[type[ModelError], ...] = (ModelUnavailableError, *late)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ServerRestsError, without a call, while the breaker admits none.

        WithheldError: a policy keeps what is in it from the model.
        """
        if self.check is not None:
            await self.check(request, self.destinations)
        term = self._breaker.admit()
        if term is None:
            raise ServerRestsError(
                "the model's server failed too often in a row and is asked again in "
                f"{math.ceil(self._breaker.wait)} s"
            )
        try:
            reply = await self._model.complete(request)
        except self._failures:
            self._breaker.failed(term)
            raise
        except RecollectError:
            self._breaker.succeeded(term)  # the server answered
            raise
        except BaseException:
            self._breaker.abandoned(term)
            raise
        self._breaker.succeeded(term)
        return reply

    @property
    def destinations(self) -> Sequence[Destination]:
        """Where its calls may go: to the fallback, too."""
        other = self.options.fallback if isinstance(self.options, OpenAIChatOptions) else None
        return [
            Destination.of_server(one.base_url, one.model)
            for one in (self.options, other)
            if one is not None
        ]

    async def close(self) -> None:
        await self._model.close()


@dataclass(frozen=True, slots=True)
class CheckedModels:
    """A `ModelSource` whose models ask before each call."""

    source: ModelSource
    check: RequestCheck

    async def __call__(self, tenant: str, model: str = "") -> ChatModel | None:
        """As the source does."""
        found = await self.source(tenant, model)
        if isinstance(found, GuardedModel):
            found.check = self.check
        return found


P = TypeVar("P", MemoryItem, Turn)


async def ask(
    model: ChatModel,
    held: Sequence[P],
    request_for: Callable[[Sequence[P]], ChatRequest],
    *,
    least: int = 1,
) -> tuple[ChatReply, Sequence[P]]:
    """The answer to a request about what the model may have of `held`, and what that is.

    Raises what the model does; WithheldError if fewer than `least` are left.
    """
    while True:
        try:
            return await model.complete(replace(request_for(held), holds=held)), held
        except WithheldError as error:
            left = error.left_of(held)
            if not least <= len(left) < len(held):
                raise
            held = left


class FixedModel:
    """A `ModelSource` that always returns the configured model.

    Errors name `setting`, the section of the options, and the `variables` of the environment that
    may stand for some. With a `problem` the model cannot be used: each call raises it as a
    ConfigError.
    """

    def __init__(
        self,
        options: ModelServerOptions,
        setting: str,
        *,
        problem: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._model = guarded_model(options, setting=setting, variables=variables)
        self._problem = problem

    @property
    def configured(self) -> bool:
        """Whether it was chosen, and can be asked."""
        return not self._problem

    async def __call__(self, tenant: str, model: str = "") -> ChatModel | None:
        del tenant, model
        if self._problem:
            raise ConfigError(self._problem)
        return self._model

    async def close(self) -> None:
        """Close the model's connections."""
        await self._model.close()


class TenantModel:
    """A `ChatModel` that looks up its model at each call."""

    def __init__(self, source: ModelSource, tenant: str) -> None:
        self._source = source
        self._tenant = tenant

    async def complete(self, request: ChatRequest) -> ChatReply:
        model = await self._source(self._tenant, "")
        if model is None:
            raise ModelError(
                "no model to extract facts with: set learn.llm, or send a chat request first"
            )
        return await model.complete(request)

    async def close(self) -> None:
        """Nothing of its own to release."""
