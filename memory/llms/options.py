"""Options of a language model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field, SecretStr, model_validator

from ..model.options_base import Options
from ..util.providers import Provider, provided, provider


class ModelServerOptions(Options):
    """A model behind any OpenAI-compatible endpoint."""

    provider: str | None = Field(
        default=None,
        description="Name of a provider ([which](backends.md#providers-of-models)): gives the "
        "address, the variable of the key, and a model; `base_url`, `api_key` and `model` win.",
    )
    base_url: str | None = Field(
        default=None,
        description="Root of the API, such as `http://127.0.0.1:11434/v1`; OpenAI's if not set.",
    )
    model: str = Field(default="gpt-4o-mini", description="The model's name at that endpoint.")
    api_key: SecretStr | None = Field(
        default=None, description="API key; leave unset for servers that need none."
    )

    timeout_seconds: float = Field(
        default=120,
        gt=0,
        description="Longest wait for an answer, in seconds; for connecting at most 10. A call "
        "that takes longer has failed and is not repeated.",
    )

    @model_validator(mode="before")
    @classmethod
    def _of_the_provider(cls, given: Any) -> Any:
        return provided(given) if isinstance(given, Mapping) else given

    @property
    def known(self) -> Provider | None:
        """What is known of the server, if its provider is named."""
        return None if self.provider is None else provider(self.provider)


class OpenAIChatOptions(ModelServerOptions):
    """A model, and another one for when its server is down."""

    fallback: ModelServerOptions | None = Field(
        default=None,
        description="Another model, asked while the server of this one is down, busy or too slow. "
        "Not if it refuses: a wrong key is to be seen.",
    )
