"""Cleans a text before it is stored, learned, recalled or shown: the steps, in order.

    stored     blocks of ours, what no store takes, secrets              `filters.capture`
    verbatim   secrets, a text that only hid secrets, suspicious parts   `learn.given_texts`
    learned    turns: the firewall (blocks, clients' context, output of
               programs, prompts, quotations); then of each fact:
               secrets, what only hid secrets, suspicious parts          `learn.learner`
    said       the firewall, suspicious parts, what only hid secrets     `said.passages`
    shown      markup and roles                                          `filters.inject`

Secrets go first wherever a text comes from outside: nothing after that step, and no model, sees
them. Suspicious parts are judged on the text as it was said, because what stands before a sentence
may say whose it is. A step that is applied again changes nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..trust.quarantine import judge_text
from ..trust.quarantine.values import Span
from ..trust.redact import MARKER, is_empty_remains
from ..trust.suspicious_sentences import SplitText, split_spans, split_suspicious
from .firewall import strip_injected

Redact = Callable[[str], str]
"""Removes secrets from a text."""


def storable(text: str) -> str:
    """Without blocks of ours that a client echoes, and without what no store takes."""
    # Lone surrogates are valid JSON and invalid UTF-8.
    return strip_injected(text).encode("utf-8", "replace").decode()


def lost_secrets(text: str) -> bool:
    """Whether a stored text says that a secret was removed from it."""
    return MARKER.search(text) is not None


def without_secrets(text: str, redact: Redact) -> str | None:
    """Without secrets; None if nothing is left but, at most, what they are called."""
    left = redact(text)
    # What has neither letters nor digits, such as an emoji, hides nothing.
    return None if is_empty_remains(left) and any(map(str.isalnum, left)) else left


def believed(text: str) -> str:
    """What is believed of a user's text: without its suspicious parts."""
    return split_suspicious(text, judge_text(text)).rest


def believed_pieces(text: str, cuts: Sequence[Span], source: str) -> list[SplitText]:
    """The same of each piece of a text from `source`, with what is withheld of it."""
    return split_spans(text, cuts, judge_text(text, source), source)


def is_suspicious(text: str) -> bool:
    """Whether anything of a user's text would be withheld."""
    return judge_text(text) is not None
