"""Options of a language model."""

from __future__ import annotations

from pydantic import Field, SecretStr

from ..model.strict import Options
from ..util.breaker import BreakerOptions


class OpenAIChatOptions(Options):
    """A model behind any OpenAI-compatible endpoint."""

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
    max_retries: int = Field(
        default=2,
        ge=0,
        le=10,
        description="Retries of a call after 408, 409, 429 and 5xx, or without a connection.",
    )
    breaker: BreakerOptions = Field(
        default_factory=BreakerOptions,
        description="When a server that fails is left alone. Jobs wait meanwhile.",
    )
