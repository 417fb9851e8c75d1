"""Options of the local embedder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from ...model.options_base import Options
from ..prefixed import PrefixOptions

LocalModel = Literal["pair", "minilm", "use"]
DEFAULT: LocalModel = "pair"
"""The model of a new store."""


class OnnxEmbedderOptions(PrefixOptions):
    """Options of any sentence model in a folder, for example a multilingual one."""

    backend: Literal["onnx"] = Field(
        "onnx",
        description="A sentence model in this process, from a folder: `model.onnx` and "
        "`tokenizer.json`, as sentence-transformers and optimum export them.",
    )
    folder: Path | None = Field(
        None, description="The folder; required. Its name is the id of the embedder."
    )


class LocalEmbedderOptions(Options):
    """Options of the models whose weights `recollect models fetch` brings."""

    backend: Literal["local"] = Field(
        "local", description="A model in this process, whose weights `recollect models fetch` gets."
    )
    model: LocalModel | None = Field(
        None,
        description="Unset: the one of the stored memories' vectors, and `"
        + DEFAULT
        + "` for a new store. "
        "`minilm`: all-MiniLM-L6-v2, 384 dimensions, English first. `use`: Universal "
        "Sentence Encoder multilingual v3, 512 dimensions, sixteen languages, a third of the "
        "processor time. `pair`: both, 896 dimensions. After a change run `recollect reindex`.",
    )
    model_dir: Path | None = Field(
        None,
        description="Folder with the weights; unset means `models` in the data folder.",
    )
