"""Options of learning."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

from pydantic import Field, field_validator

from ..llms import ModelServerOptions, OpenAIChatOptions
from ..model.errors import InvalidInputError
from ..model.options_base import Options
from ..trust.redact import RedactOptions
from .extract.prompts import narrowed
from .templates import BUILT_IN, DEFAULT, NONE, PromptTemplate, template_in

CLIENTS_CALLS_PER_HOUR = 300
"""With a client's own key, which nobody chose for this. Two calls learn ten turns; 115 chats of
one turn, the busiest quarter of an hour that was seen of one user, take 230."""
CHOSEN_CALLS_PER_HOUR = 600
"""With a model that was named for it: against what runs away, not against use."""
JOB_SECONDS = 600.0
"""Longest time for one try of a job, or of five calls of `learn.llm` if that is longer: a
batch asks for facts, for what they mean, and again where an answer cannot be read."""
ADD_SECONDS = 120.0
"""Longest time in which one `add` extracts facts, all its calls of the model together, or
`learn.llm.timeout_seconds` if that is longer. An `add` that takes longer fails, and nothing of it
is stored; the library's `timeout` of a call wins over it."""


class Unconfirmed(StrEnum):
    """How facts that the user did not state are treated."""

    QUARANTINE = "quarantine"
    KEEP = "keep"
    DROP = "drop"


class ContextBy(StrEnum):
    """What situates a fact, so that it is found by what it belongs to."""

    PLAIN = "plain"
    MODEL = "model"


class LearnOptions(Options):
    """Options of learning: triggers, the job queue, and the models."""

    # Constants, which no setting changes.
    every_tokens: ClassVar[int] = 8000
    """Learn sooner once the new turns of a conversation have this many tokens."""
    max_queued: ClassVar[int] = 10_000
    """Most waiting jobs. Beyond it no job is added, but the turns are kept and are learned once
    there is room."""
    max_attempts: ClassVar[int] = 5
    """Tries before a job is kept as `dead`. An answer that comes too late or cannot be read is a
    failed try, of which a model that reads other conversations gets two. Waiting for a store or a
    model that is down or left alone does not count as a try."""
    retry_seconds: ClassVar[float] = 10
    """Wait before the second try; it doubles with each further try."""
    max_retry_seconds: ClassVar[float] = 600
    lease_seconds: ClassVar[float] = 60
    """Time after which another worker takes over a job that is not renewed; a worker renews its
    lease three times in that time."""
    max_answer_chars: ClassVar[int] = 100_000
    """Characters of one message that are kept for learning; longer ones are cut in the middle."""

    enabled: bool = Field(
        default=True, description="Capture turns and learn from them; `false` only recalls."
    )
    in_process: bool = Field(
        default=True,
        description="Learn inside the proxy. `false` leaves it to `recollect worker` processes.",
    )
    every_turns: int = Field(
        default=10, ge=1, le=1000, description="Learn after this many new turns of a conversation."
    )
    idle_seconds: float = Field(
        default=300,
        gt=0,
        description="Learn the remaining turns of a conversation after this idle time (seconds).",
    )
    drift: bool = Field(
        default=True,
        description="Learn sooner once the topic of a conversation changes, by the embeddings "
        "of its turns.",
    )
    llm: OpenAIChatOptions | None = Field(
        default=None,
        description="The model that extracts facts. If not set, the conversation's own at the "
        "same upstream, with the client's credential, which is only ever held in memory.",
    )
    vision: ModelServerOptions | None = Field(
        default=None,
        description="A model that describes pictures; without one a picture is recorded as "
        "`[image]`.",
    )
    templates: dict[str, PromptTemplate] = Field(
        default_factory=dict,
        description="Instructions of domains by name: some of `prompt`, `update_prompt`, "
        "`picture`, `includes`, `excludes`, to which the form of the answer is appended. Built in: "
        "`support`, `health`, `coding`. `default` counts where a call names none; "
        "`default: health` is another one's.",
    )
    unconfirmed: Unconfirmed = Field(
        default=Unconfirmed.QUARANTINE,
        description="What becomes of facts that only the assistant stated, and of procedures: "
        "`quarantine` recalls them only after validation, `keep` stores them as facts, `drop` "
        "discards them. A fact only from a tool is always quarantined.",
    )
    redact: RedactOptions = Field(
        default_factory=RedactOptions,
        description="Data that is removed from every text before it is stored or sent to a model.",
    )
    verify: bool = Field(
        default=True,
        description="Ask the model once more, in one call for a batch, which facts the "
        "conversation does not state; those are quarantined.",
    )
    context: ContextBy = Field(
        default=ContextBy.PLAIN,
        description="What a fact is found by beside its own words. `plain`: the memories said "
        "just before and after it, and its conversation. `model`: also who, when and what it "
        "belongs to, which the model tells in one more call for a batch; it is never shown.",
    )
    daily_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Most tokens that learning may use per tenant and day (UTC); further jobs "
        "wait for the next day. The last calls of a day may exceed it.",
    )
    calls_per_hour: int | None = Field(
        default=None,
        ge=0,
        description="Most calls to models that learning makes per tenant and hour (UTC); "
        "further jobs wait. If not set, 300 with the clients' own key and 600 with `learn.llm`. "
        "0: what users say is recalled in their own words only. `add` is not limited.",
    )
    concurrency: int = Field(
        default=2, ge=1, le=64, description="Jobs that one process runs at a time."
    )
    max_output_tokens: int = Field(
        default=2000, ge=100, description="Most tokens of an answer of the extraction model."
    )

    @field_validator("templates", mode="before")
    @classmethod
    def _are_known(cls, given: object) -> object:
        """A name in place of a template is another one's."""
        if not isinstance(given, Mapping):
            return given
        names = {name: made for name, made in given.items() if isinstance(made, str)}
        known = {**BUILT_IN, **{name: given[name] for name in given.keys() - names.keys()}}
        return {**given, **{name: template_in(known, other) for name, other in names.items()}}

    @property
    def chosen(self) -> PromptTemplate:
        """The template that counts where a call names no other one."""
        return self.templates.get(DEFAULT, NONE)

    def template_of(self, name: str | None) -> PromptTemplate:
        """The template of this name, or the chosen one; InvalidInputError lists the known ones."""
        if name is None:
            return self.chosen
        try:
            return template_in(BUILT_IN | self.templates, name)
        except ValueError as error:
            raise InvalidInputError("template", str(error)) from None

    def instructions(self, template: str | None = None) -> str | None:
        """The instructions for extraction; None are the built-in ones."""
        named = self.template_of(template)
        return narrowed(named.prompt, includes=named.includes, excludes=named.excludes)

    @property
    def judging(self) -> str | None:
        """The instructions for what a new fact means for known ones; None are the built-in ones."""
        return self.chosen.update_prompt

    @property
    def hourly_calls(self) -> int:
        """Most calls of learning per tenant and hour."""
        if self.calls_per_hour is not None:
            return self.calls_per_hour
        return CLIENTS_CALLS_PER_HOUR if self.llm is None else CHOSEN_CALLS_PER_HOUR

    @property
    def job_seconds(self) -> float:
        """Longest time for one try of a job."""
        return JOB_SECONDS if self.llm is None else max(JOB_SECONDS, 5 * self.llm.timeout_seconds)

    @property
    def add_seconds(self) -> float:
        """Longest time for the calls of the model of one `add`."""
        return ADD_SECONDS if self.llm is None else max(ADD_SECONDS, self.llm.timeout_seconds)
