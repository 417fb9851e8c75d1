"""Sources of the model for a job."""

from __future__ import annotations

from ..errors import ModelError
from ..ports import ChatModel, ModelSource
from ..types import ChatReply, ChatRequest
from .openai import OpenAIChatModel
from .options import OpenAIChatOptions


class FixedModel:
    """A `ModelSource` that always returns the configured model."""

    def __init__(self, options: OpenAIChatOptions) -> None:
        self._model = OpenAIChatModel(options)

    async def __call__(self, tenant: str, model: str = "") -> ChatModel | None:
        del tenant, model
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
