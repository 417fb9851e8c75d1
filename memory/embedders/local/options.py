"""Options of the local embedder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class LocalEmbedderOptions(BaseModel):
    """Options of all-MiniLM-L6-v2 run in this process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["local"] = Field(
        "local", description="all-MiniLM-L6-v2 in this process: 384 dimensions, English first."
    )
    model_dir: Path | None = Field(
        None,
        description="Folder with `model.safetensors` and `tokenizer.json`; unset means `models` "
        "in the data folder.",
    )
    threads: int = Field(
        1, ge=1, le=64, description="Threads one run may use; two runs go on at a time."
    )
    max_tokens: int = Field(
        256,
        ge=8,
        le=512,
        description="Longer texts are cut; the model was published with 256 and knows 512.",
    )
    batch_size: int = Field(
        32, ge=1, le=1024, description="Most texts sorted by length and run together."
    )
