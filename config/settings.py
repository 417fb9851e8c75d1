"""All settings, composed from the options of the parts."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from filters.options import RequestRecallOptions
from memory.embedders import EmbedderOptions, LocalEmbedderOptions
from memory.forget import RetentionOptions
from memory.learn import LearnOptions
from memory.state import HistoryOptions, StateOptions
from memory.stores import MilvusStoreOptions, StoreOptions

from .server import (
    ApiOptions,
    IdentityOptions,
    ListenOptions,
    Options,
    TelemetryOptions,
    UpstreamOptions,
)


class Settings(Options):
    """Everything that can be configured, validated, with every path made absolute."""

    data_dir: Path = Field(
        default=Path("~/.recollect"),
        description="Where memories, state and models are kept unless a key below says otherwise.",
    )
    listen: ListenOptions = Field(default_factory=ListenOptions)
    upstream: UpstreamOptions = Field(default_factory=UpstreamOptions)
    identity: IdentityOptions = Field(default_factory=IdentityOptions)
    recall: RequestRecallOptions = Field(default_factory=RequestRecallOptions)
    learn: LearnOptions = Field(default_factory=LearnOptions)
    retention: RetentionOptions = Field(default_factory=RetentionOptions)
    embedder: EmbedderOptions = Field(default_factory=LocalEmbedderOptions)
    store: StoreOptions = Field(default_factory=MilvusStoreOptions)
    state: StateOptions = Field(default_factory=StateOptions)
    history: HistoryOptions = Field(default_factory=HistoryOptions)
    api: ApiOptions = Field(default_factory=ApiOptions)
    telemetry: TelemetryOptions = Field(default_factory=TelemetryOptions)
