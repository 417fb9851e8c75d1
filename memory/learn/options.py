"""When and how conversations are learned from."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from ..llms import OpenAIChatOptions
from ..trust.redact import RedactOptions


class Unconfirmed(StrEnum):
    """What becomes of a fact that the user did not state."""

    QUARANTINE = "quarantine"
    KEEP = "keep"
    DROP = "drop"


class LearnOptions(BaseModel):
    """The response side: triggers, the queue's patience, and the model that extracts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True, description="Capture turns and learn from them; `false` only recalls."
    )
    in_process: bool = Field(
        default=True,
        description="Learn inside the proxy. `false` leaves it to `recollect worker` processes.",
    )
    every_turns: int = Field(
        default=10, ge=1, le=1000, description="Learn after so many new turns of a conversation."
    )
    every_tokens: int = Field(
        default=8000,
        ge=100,
        description="Learn sooner, once the new turns of a conversation have so many tokens.",
    )
    idle_seconds: float = Field(
        default=300,
        gt=0,
        description="Learn what is left of a conversation that was silent for so long (seconds).",
    )
    drift: bool = Field(
        default=True,
        description="Learn sooner, once a conversation turns to another topic: what was said "
        "before belongs together. Compared by the embeddings of neighbouring turns, off the "
        "request path, and left out while the process is busy.",
    )
    drift_threshold: float | None = Field(
        default=None,
        ge=-1,
        le=1,
        description="Cosine similarity of neighbouring turns below which the topic changed; if not "
        "set, a bound that follows from the embedder's calibration.",
    )
    llm: OpenAIChatOptions | None = Field(
        default=None,
        description="The model that extracts facts. If not set, the conversation's own model at "
        "the same upstream, with the client's credential, which is only ever held in memory.",
    )
    vision: OpenAIChatOptions | None = Field(
        default=None,
        description="A model that describes pictures users send; without one a picture is noted "
        "as `[image]` and not kept.",
    )
    prompt: str | None = Field(
        default=None,
        min_length=1,
        description="Instructions for extraction instead of the built-in ones. Evidence is checked "
        "all the same; the form of the answer is added to it.",
    )
    unconfirmed: Unconfirmed = Field(
        default=Unconfirmed.QUARANTINE,
        description="What becomes of a fact that only the assistant or a tool stated, and of "
        "procedures: `quarantine` stores it without recalling it until it is validated, `keep` "
        "believes it, `drop` forgets it. A fact that only a tool stated is quarantined anyway.",
    )
    redact: RedactOptions = Field(
        default_factory=RedactOptions,
        description="What is taken out of every text before it is kept or shown to a model.",
    )
    summaries: bool = Field(
        default=True, description="Keep one episodic memory of a finished conversation."
    )
    procedures: bool = Field(
        default=True, description="Keep how a task was done from turns in which tools were run."
    )
    ask_about_conflicts: bool = Field(
        default=True,
        description="Ask the model what a new fact means for an old one where rules cannot tell; "
        "`false` stores the new one beside it.",
    )
    daily_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Most tokens a tenant's learning may cost in a day (UTC); its jobs then wait "
        "for the next. No limit if not set. What one call costs is known after it, so the last "
        "calls of the day may go beyond.",
    )
    max_queued: int = Field(
        default=10_000,
        ge=1,
        description="Jobs that may wait. At the bound no more are enqueued and nothing is lost: "
        "the turns are kept, and are taken up once there is room.",
    )
    concurrency: int = Field(
        default=2, ge=1, le=64, description="Jobs that one process learns at a time."
    )
    max_attempts: int = Field(
        default=8,
        ge=1,
        le=100,
        description="Tries before a job is given up and kept as `dead`. Waiting for a model or a "
        "store that is down is no try.",
    )
    retry_seconds: float = Field(
        default=10, gt=0, description="Wait before the second try; doubles with each further one."
    )
    max_retry_seconds: float = Field(
        default=600, gt=0, description="Longest wait between two tries."
    )
    lease_seconds: float = Field(
        default=60,
        ge=1,
        description="How long a worker may be silent on a job before another takes it over; a "
        "living one renews its claim three times as often.",
    )
    job_seconds: float = Field(
        default=600, ge=1, description="Longest one try of a job may take in all."
    )
    max_output_tokens: int = Field(
        default=2000, ge=100, description="Most tokens the extraction model may answer."
    )
    max_answer_chars: int = Field(
        default=100_000,
        ge=1000,
        description="Characters kept of one message for learning; more is cut in the middle.",
    )
