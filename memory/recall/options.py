"""Options of recall and of ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from ..model.strict import Options


class WeightOptions(Options):
    """Weight of each signal. Signals that do not apply to a query are left out.

    The defaults are rounded optima on the development half of LoCoMo (`benchmarks/recall`); small
    changes hardly change the result. 0 switches a signal off.
    """

    dense: float = Field(
        default=0.6,
        ge=0,
        le=10,
        description="Similarity of meaning (cosine); it counts less for lines of a dialogue.",
    )
    dense_context: float = Field(
        default=0.1, ge=0, le=10, description="`dense` of the memories just before and after."
    )
    lexical: float = Field(
        default=2.0, ge=0, le=10, description="Shared words (BM25); neighbours' words count less."
    )
    topic: float = Field(default=0.5, ge=0, le=10, description="Words shared with the session.")
    entity: float = Field(
        default=0.3, ge=0, le=10, description="Said by or about a name in the query."
    )
    date: float = Field(default=0.4, ge=0, le=10, description="Nearness to the query's time.")
    substance: float = Field(default=0.3, ge=0, le=10, description="More than a few words.")


class FusionOptions(Options):
    """How the signals are combined into one score."""

    method: Literal["convex", "weighted", "rrf"] = Field(
        default="convex",
        description="`convex`: weighted mean of signals on fixed scales, so that scores of "
        "different queries can be compared. `weighted`: the same with each signal stretched to "
        "0..1 for each query. `rrf`: reciprocal ranks.",
    )
    weights: WeightOptions = Field(default_factory=WeightOptions)
    neighbours: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Weight of neighbouring memories in a memory's signals; 0 ignores them.",
    )
    recency: float = Field(
        default=0.02,
        ge=0,
        le=0.5,
        description="Largest share that a score gains for a new memory or loses for an old one.",
    )
    half_life_days: float = Field(
        default=30,
        gt=0,
        le=36_500,
        description="Half-life of recency, which is neutral at this age.",
    )
    importance: float = Field(
        default=0.05, ge=0, le=0.5, description="The same as `recency`, for importance."
    )
    usage: float = Field(
        default=1.0,
        ge=0,
        le=10,
        description="How much slower recency fades for a memory that is recalled often and was "
        "recalled lately: 1 doubles its half-life, 0 ignores recalls.",
    )
    hearsay: float = Field(
        default=0.1,
        ge=0,
        le=0.5,
        description="Share that a score loses for a memory that the user never said themselves.",
    )


class IndexOptions(Options):
    """The hot index: memories kept in this process, ready to be ranked."""

    max_megabytes: int = Field(
        default=128,
        ge=1,
        le=1_000_000,
        description="Size of all users' indexes together; the least recently used are dropped. A "
        "memory takes 3 to 4 KB.",
    )
    max_memories: int = Field(
        default=25_000,
        ge=1,
        le=1_000_000,
        description="For users with more memories the store is searched, which is slower.",
    )
    refresh_seconds: float = Field(
        default=5.0,
        gt=0,
        le=3600,
        description="For a store that other processes write to: age at which an index is rebuilt "
        "from the store.",
    )


class ProfileOptions(Options):
    """What is recalled because of who asks: standing constraints, wishes, and the person."""

    enabled: bool = Field(
        default=True,
        description='`false`: only memories that match the message are recalled; "What do you '
        'know about me?" finds nothing, and an allergy is not brought up for a recipe.',
    )
    tokens: int = Field(
        default=96,
        ge=0,
        le=4096,
        description="Share of `token_budget` for constraints and wishes. A question about the user "
        "may have all of the budget.",
    )
    wishes: bool = Field(
        default=True,
        description="Wishes about answers (form, tone, how to be addressed) go with every request, "
        "also with one that needs no memory.",
    )


class RecallOptions(Options):
    """Bounds of one recall."""

    limit: int = Field(
        default=40,
        ge=1,
        le=200,
        description="Most memories that are recalled; the token budget is usually reached first.",
    )
    token_budget: int = Field(
        default=512, ge=16, le=32_000, description="Most tokens the injected message may have."
    )
    threshold: float | None = Field(
        default=None,
        ge=-1,
        le=1,
        description="Cosine similarity from which a memory is recalled whatever the evidence is, "
        "and below which only if it shares words with the query. Default: none.",
    )
    evidence: float = Field(
        default=0.1,
        ge=0,
        le=1,
        description="Least probability that something stored answers the message; below it, "
        "nothing is recalled. 0: nothing is withheld.",
    )
    clear: float = Field(
        default=0.4,
        ge=0,
        le=1,
        description="The same of each memory for a message that does not depend on who asks: "
        "knowledge, a chore, code, a translation.",
    )
    fill: bool = Field(
        default=True,
        description="A message that depends on the user and finds evidence may use the whole "
        "`token_budget`: after what matches come the newest statements near it. `false`: only "
        "what matches, for those who pay by the token.",
    )
    cut: float = Field(
        default=0.55,
        ge=0,
        le=1,
        description="Stop at scores below this share of the best score; 0 never stops.",
    )
    gap: float = Field(
        default=0.35,
        gt=0,
        le=1,
        description="Stop where the score falls by more than this share from one memory to the "
        "next; 1 never stops.",
    )
    calibration: Path | None = Field(
        default=None,
        description="File with the thresholds measured by `recollect calibrate`. Default: "
        "`calibration.json` in `data_dir`.",
    )
    profile: ProfileOptions = Field(default_factory=ProfileOptions)
    fusion: FusionOptions = Field(default_factory=FusionOptions)
    index: IndexOptions = Field(default_factory=IndexOptions)
