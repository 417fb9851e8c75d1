"""Which local model is meant, and what its vectors are called. Pure."""

from __future__ import annotations

from typing import get_args

from .options import DEFAULT, LocalEmbedderOptions, LocalModel
from .weights import MINILM, USE

QUANTIZED = "-int8"
"""Suffix of the id of vectors that differ from the published model's."""


def id_of(model: LocalModel, *, quantized: bool) -> str:
    """What names the vectors of a model."""
    first = MINILM.model_id + QUANTIZED * quantized
    return {"minilm": first, "use": USE.model_id, "pair": f"{first}+{USE.model_id}"}[model]


def chosen(options: LocalEmbedderOptions, stored: str | None) -> LocalModel:
    """The model that is configured, else that of the stored vectors' id, else the default."""
    if options.model is not None:
        return options.model
    for model in get_args(LocalModel):
        if id_of(model, quantized=options.quantized) == stored:
            found: LocalModel = model
            return found
    return DEFAULT
