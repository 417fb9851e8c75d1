"""When and how conversations are learned from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ..llms import OpenAIChatOptions


class LearnOptions(BaseModel):
    """The response side: triggers, the queue's patience, and the model that extracts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True, description="Capture turns and learn from them; `false` only recalls."
    )
    every_turns: int = Field(
        default=10, ge=1, le=1000, description="Learn after so many new turns of a conversation."
    )
    idle_seconds: float = Field(
        default=300,
        gt=0,
        description="Learn what is left of a conversation that was silent for so long (seconds).",
    )
    llm: OpenAIChatOptions | None = Field(
        default=None,
        description="The model that extracts facts. If not set, the conversation's own model at "
        "the same upstream, with the client's credential, which is only ever held in memory.",
    )
    max_attempts: int = Field(
        default=5, ge=1, le=100, description="Tries before a job is given up and kept as `dead`."
    )
    retry_seconds: float = Field(
        default=10, gt=0, description="Wait before the second try; doubles with each further one."
    )
    lease_seconds: float = Field(
        default=300,
        ge=5,
        description="How long a worker may be silent on a job before another takes it over.",
    )
    max_output_tokens: int = Field(
        default=2000, ge=100, description="Most tokens the extraction model may answer."
    )
    max_answer_chars: int = Field(
        default=100_000,
        ge=1000,
        description="Characters kept of one message for learning; more is cut in the middle.",
    )
