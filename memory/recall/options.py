"""How much is recalled, and how memories are ranked."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class WeightOptions(BaseModel):
    """What each signal counts for. Only those that a query and its memories give any are used.

    The defaults come from the development half of LoCoMo (`benchmarks/recall`), rounded: around
    them the result hardly changes. 0 switches a signal off.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dense: float = Field(default=0.3, ge=0, le=10, description="Likeness of meaning (cosine).")
    dense_context: float = Field(
        default=0.1, ge=0, le=10, description="The same of what was said just before and after."
    )
    lexical: float = Field(
        default=2.0,
        ge=0,
        le=10,
        description="Words in common (BM25), those of the neighbours counted less.",
    )
    topic: float = Field(
        default=0.5, ge=0, le=10, description="Words in common with the whole session."
    )
    entity: float = Field(
        default=0.3, ge=0, le=10, description="Said by or about whom or what the query names."
    )
    date: float = Field(
        default=0.4, ge=0, le=10, description="Nearness to the time the query names."
    )
    substance: float = Field(
        default=0.3, ge=0, le=10, description="Saying something at all: more than a few words."
    )


class FusionOptions(BaseModel):
    """How the signals become one order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        description="How far a memory is also found by what it was said next to: 0 not at all.",
    )
    recency: float = Field(
        default=0.02,
        ge=0,
        le=0.5,
        description="Most that being new adds to a score, or being old takes from it (share).",
    )
    half_life_days: float = Field(
        default=30, gt=0, le=36_500, description="A memory of this age is half as new."
    )
    importance: float = Field(
        default=0.05, ge=0, le=0.5, description="The same for a memory's importance."
    )


class IndexOptions(BaseModel):
    """The hot index: what is kept in this process to answer in microseconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_megabytes: int = Field(
        default=128,
        ge=1,
        le=1_000_000,
        description="All users' indexes together; the ones not used for longest are dropped. A "
        "memory takes 3 to 4 KB.",
    )
    max_memories: int = Field(
        default=25_000,
        ge=1,
        le=1_000_000,
        description="Users with more are searched for in the store, which is slower.",
    )
    refresh_seconds: float = Field(
        default=5.0,
        gt=0,
        le=3600,
        description="With a store that other processes write to: how old an index may be before "
        "it is compared with the store.",
    )


class RecallOptions(BaseModel):
    """Bounds of one recall."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(
        default=20,
        ge=1,
        le=200,
        description="Most memories that are recalled; the token budget usually ends it before.",
    )
    token_budget: int = Field(
        default=512, ge=16, le=32_000, description="Most tokens the injected message may have."
    )
    threshold: float | None = Field(
        default=None,
        ge=-1,
        le=1,
        description="Least cosine similarity of a recalled memory that shares no words with the "
        "query; if not set, the value measured for the embedder in use.",
    )
    lexical_threshold: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="Least share of the query's words, by weight, in a recalled memory whose "
        "meaning is below `threshold`.",
    )
    clear_coverage: float = Field(
        default=0.4,
        ge=0,
        le=1,
        description="The same share that the best memory needs if its meaning is not clearly near "
        "the query's: without a clear one nothing is recalled.",
    )
    cut: float = Field(
        default=0.55,
        ge=0,
        le=1,
        description="Stop at memories that score less than this share of the best one; 0 never.",
    )
    gap: float = Field(
        default=0.35,
        gt=0,
        le=1,
        description="Stop where a score falls by more than this share from one memory to the next; "
        "1 never.",
    )
    calibration: Path | None = Field(
        default=None,
        description="File with the thresholds that `recollect calibrate` measured. Default: "
        "`calibration.json` in `data_dir`.",
    )
    fusion: FusionOptions = Field(default_factory=FusionOptions)
    index: IndexOptions = Field(default_factory=IndexOptions)
