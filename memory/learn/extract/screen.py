"""Rejects texts that cannot be facts, without looking at their evidence. Pure."""

from __future__ import annotations

import regex

from ...language import from_packs, packs
from ...language.cues import begins
from ..noise import is_output, is_statement
from .prompts import EXTRACTION_PROMPT
from .searchable import plain

MAX_FACT_CHARS = 1_000
"""A longer "fact" is a document."""
_MIN_LETTERS = 0.4
"""Least share of letters and digits in a sentence, without blanks."""
_LOOP_WORDS = 12
_LOOP_SHARE = 0.3
"""Share of distinct words below which a text of `_LOOP_WORDS` is a model's loop."""
_MIN_ECHO = 20
"""Letters; shorter parts of the prompt may occur by chance."""

_MARKUP = regex.compile(
    r"</?(?:html|head|body|div|span|p|script|style|table|td|tr|li|ul|a|br|h[1-6])\b[^<>]*>|"
    r"<!doctype|&(?:nbsp|lt|gt|amp);|[{}\[\]]{3}|\"\s*:\s*[\"\[{]",
    regex.IGNORECASE,
)
_PROMPT = plain(EXTRACTION_PROMPT)


@from_packs
def _placeholders() -> frozenset[str]:
    return frozenset(plain(one) for pack in packs().values() for one in pack.turns.placeholder)


def reason_against(text: str) -> str | None:
    """The reason "too_long", "not_text", "boilerplate" or "noise"; None if it may be a fact."""
    if len(text) > MAX_FACT_CHARS:
        return "too_long"
    if not _is_text(text):
        return "not_text"
    if plain(text) in _placeholders() or begins(text, "turns.about_talk"):
        return "boilerplate"
    if not is_statement(text) or is_output(text):
        return "noise"
    return None


def is_echo(text: str, prompt: str | None = None) -> bool:
    """Whether the text is part of the prompt: small models repeat its examples."""
    said = plain(text)
    return len(said) >= _MIN_ECHO and (said in _PROMPT or said in plain(prompt or ""))


def _is_text(text: str) -> bool:
    visible = [character for character in text if not character.isspace()]
    letters = sum(character.isalnum() for character in visible)
    words = text.casefold().split()
    stuck = len(words) >= _LOOP_WORDS and len(set(words)) < _LOOP_SHARE * len(words)
    return (
        any(character.isalpha() for character in visible)
        and letters >= _MIN_LETTERS * len(visible)
        and not stuck
        and not _MARKUP.search(text)
    )
