"""Options of the languages."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from ..model.options_base import Options


class LanguageOptions(Options):
    """Languages of your own, beside the shipped ones."""

    packs: Path | None = Field(
        default=None,
        description="Folder of language files of your own: a file adds a language, or its "
        "terms to the shipped file of that name (docs/languages.md). Processes that share "
        "memories need the same files.",
    )
