"""What is no fact, whatever its evidence: told from its text alone. Pure."""

from __future__ import annotations

import regex

from .prompts import EXTRACTION_PROMPT
from .searchable import plain

MAX_FACT_CHARS = 1_000
"""A longer "fact" is a document."""
_MIN_LETTERS = 0.4
"""Share of letters and digits in what is a sentence, blanks aside."""
_LOOP_WORDS = 12
_LOOP_SHARE = 0.3
"""A text of so many words with so few different ones is a model that got stuck."""
_MIN_ECHO = 20
"""Letters; our own words that are shorter anybody may use."""

_MARKUP = regex.compile(
    r"</?(?:html|head|body|div|span|p|script|style|table|td|tr|li|ul|a|br|h[1-6])\b[^<>]*>|"
    r"<!doctype|&(?:nbsp|lt|gt|amp);|[{}\[\]]{3}|\"\s*:\s*[\"\[{]",
    regex.IGNORECASE,
)
_PLACEHOLDERS = frozenset(
    plain(text)
    for text in (
        "none", "n/a", "null", "unknown", "no facts", "no facts found", "nothing", "text", "fact",
        "the fact", "quote", "string", "user", "semantic", "procedural", "episodic",
        "there is nothing worth keeping",
    )
)  # fmt: skip
_ABOUT_THE_TALK = regex.compile(
    r"(?:the\s+)?(?:assistant|conversation|chat|ai|model|chatbot)\b|"
    r"(?:the\s+)?user\s+(?:asked|asks|is asking|greeted|greets|said (?:hi|hello|thanks)|thanked|"
    r"thanks|is chatting|sent a message|started a conversation)\b",
    regex.IGNORECASE,
)
_PROMPT = plain(EXTRACTION_PROMPT)


def reason_against(text: str) -> str | None:
    """Why a text is no fact: "too_long", "not_text", "boilerplate"; None if it may be one."""
    if len(text) > MAX_FACT_CHARS:
        return "too_long"
    if not _is_text(text):
        return "not_text"
    if plain(text) in _PLACEHOLDERS or _ABOUT_THE_TALK.match(text):
        return "boilerplate"
    return None


def is_echo(text: str, prompt: str | None = None) -> bool:
    """Whether it stands in what the model was told: small models repeat the examples."""
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
