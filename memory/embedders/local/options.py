"""Options of the local embedder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from ..cached import CacheOptions


class LocalEmbedderOptions(CacheOptions):
    """Options of all-MiniLM-L6-v2 run in this process."""

    backend: Literal["local"] = Field(
        "local", description="all-MiniLM-L6-v2 in this process: 384 dimensions, English first."
    )
    model_dir: Path | None = Field(
        None,
        description="Folder with `model.safetensors` and `tokenizer.json`; unset means `models` "
        "in the data folder.",
    )
    quantized: bool = Field(
        default=False,
        description="Multiply in 8-bit integers: less than half the processor time, and vectors of "
        "their own (cosine to the exact ones 0.997), so memories stored without need `recollect "
        "reindex`.",
    )
    workers: int = Field(
        1,
        ge=1,
        le=64,
        description="Runs at a time. One costs least: what comes meanwhile shares the next run. "
        "With more, storing much leaves one to questions.",
    )
    threads: int = Field(1, ge=1, le=64, description="Threads one run may use.")
    max_tokens: int = Field(
        256,
        ge=8,
        le=512,
        description="Longer texts are cut; the model was published with 256 and knows 512.",
    )
    batch_size: int = Field(
        32, ge=1, le=1024, description="Most texts of one run; what waits is run together."
    )
