"""Options of a language model."""

from __future__ import annotations

from pydantic import Field, SecretStr

from ..model.strict import Options


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
