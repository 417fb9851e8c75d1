"""Sources of the model for a job."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.errors import ConfigError, ModelError
from ..model.ports import ChatModel, ModelSource
from ..model.types import ChatReply, ChatRequest
from .guarded import guarded_model
from .options import OpenAIChatOptions


class FixedModel:
    """A `ModelSource` that always returns the configured model.

    Errors name `setting`, the section of the options, and the `variables` of the environment that
    may stand for some. With a `problem` the model cannot be used: each call raises it as a
    ConfigError.
    """

    def __init__(
        self,
        options: OpenAIChatOptions,
        setting: str,
        *,
        problem: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self._model = guarded_model(options, setting=setting, variables=variables)
        self._problem = problem

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
