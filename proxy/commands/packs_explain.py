"""What every judgement reads in a text, for `recollect packs explain`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.filters.gate import decide
from recollect.filters.gate.options import GateOptions
from recollect.memory.language import (
    Words,
    from_packs,
    language_of,
    languages_of,
    names_in,
    packs,
    speaker_of,
    words_of,
)
from recollect.memory.language.dates import asks_when, periods
from recollect.memory.language.pack_reader import SECTIONS
from recollect.memory.language.requests import Cue, cues_of
from recollect.memory.language.vocabulary import Vocabulary
from recollect.memory.model.types import Message
from recollect.memory.trust.quarantine import judge, judge_text
from recollect.memory.trust.quarantine.signs import WEIGHTS, Sign, odds, signs_of
from recollect.memory.trust.quarantine.utterances import claims
from recollect.memory.trust.quarantine.weights import BIAS
from recollect.memory.trust.redact import RedactOptions, Redactor

JUDGEMENTS = {
    "language": ("words",),
    "names": ("people",),
    "gate": ("requests",),
    "dates": ("calendar",),
    "trust": ("planting",),
    "secrets": ("secrets",),
    "changes": ("changes",),
}
"""Each judgement with the sections that it reads."""
_ELSEWHERE = Message(role="tool", content="-")
"""A conversation that says nothing of the text."""
_WIDTH = 100
_MARGIN = 11
_FIELD = 34
_TERMS = 39
_SHOWN_SIGNS = 6
Terms = Sequence[Mapping[str, Any]]


def explained(
    text: str, redact: RedactOptions, now: datetime, *, everywhere: bool = False
) -> dict[str, Any]:
    """What each judgement says of the text, and the terms of the packs in it.

    Terms are those of the languages that the text may be of; of all if nothing tells its language,
    or with `everywhere`.
    """
    words = words_of(text)
    language = language_of(text)
    languages = {language, *languages_of(words.folded)}
    everywhere |= language not in packs()
    messages = [Message(role="user", content=text)]
    return {
        "text": text,
        "language": {
            "language": language,
            "considered": sorted(languages & packs().keys()),
            "words": len(words.raw),
            "sentences": len(words.sentences),
        },
        "names": {"names": sorted(names_in(text)), "speaker": speaker_of(text)},
        "gate": _gate(messages),
        "dates": {
            "now": now.isoformat(timespec="minutes"),
            "periods": [[one.start.isoformat(), one.end.isoformat()] for one in periods(text, now)],
            "asks_when": asks_when(text),
        },
        "trust": {
            "said by the user": _reasons(judge_text(text)),
            "learned from elsewhere": _reasons(judge(text, [_ELSEWHERE])),
            "signs": _signs(text),
        },
        "secrets": _left(text, redact),
        "terms": list(_terms(words, None if everywhere else languages)),
    }


def _gate(messages: Sequence[Message]) -> dict[str, Any]:
    reason = decide(messages, GateOptions())
    return {"searches": reason.recall, "reason": reason.value}


def _reasons(found: Any) -> list[str]:
    reasons = found.reasons if found else ()
    return [f"{reason.kind.value}: {reason.detail}" for reason in reasons]


def _signs(text: str) -> dict[str, float]:
    """The signs of the most suspicious sentence with what they add to its odds, heaviest first."""
    found: Mapping[Sign, float] = max(
        (signs_of(one, None) for one in claims(text)), key=odds, default={}
    )
    weighed = {str(one): round(n * WEIGHTS[one], 2) for one, n in found.items() if one in WEIGHTS}
    counted = sorted(weighed.items(), key=lambda pair: -abs(pair[1]))
    return {"always": BIAS, **{name: weight for name, weight in counted if weight}}


def _left(text: str, options: RedactOptions) -> dict[str, Any]:
    left = Redactor(options).redact(text)
    return {"kept": left.text, "removed": dict(left.counts)}


@from_packs
def _vocabulary() -> Vocabulary:
    """The terms of every section."""
    return Vocabulary(packs(), tuple(SECTIONS))


def _terms(words: Words, languages: set[str] | None) -> Iterator[dict[str, Any]]:
    """The terms in the text by section, field and language, with the words that they are."""
    found: dict[tuple[str, str], dict[tuple[int, int], None]] = {}
    for hit in _vocabulary().hits(words):
        if languages is None or hit.language in languages:
            found.setdefault((hit.field, hit.language), {})[hit.start, hit.end] = None
    seen = {str(cue): hits for cue, hits in cues_of(words.text).by_cue.items()}
    cues = {str(cue) for cue in Cue}
    order = list(SECTIONS)
    for field, language in sorted(found, key=lambda key: (order.index(key[0].split(".")[0]), key)):
        places = [
            words.text[words.starts[start] : words.ends[end - 1]]
            for start, end in found[field, language]
        ]
        hidden = field in cues and not any(hit.language == language for hit in seen.get(field, ()))
        yield {
            "field": field, "language": language, "words": list(dict.fromkeys(places)),
            "hidden": hidden,
        }  # fmt: skip


def render(found: Mapping[str, Any]) -> str:
    """The explanation as lines: each judgement, and below it the terms of its sections."""
    lines = []
    for name, sections in JUDGEMENTS.items():
        terms = [term for term in found["terms"] if term["field"].split(".")[0] in sections]
        shown = _LINES[name](found[name]) if name in _LINES else "" if terms else "none"
        head = f"{name:{_MARGIN}}{shown}".rstrip()
        lines += [*_filled(head, _MARGIN), *_listed(terms)]
    return "\n".join(lines)


def _listed(terms: Terms) -> Iterator[str]:
    for term in terms:
        section, _, field = term["field"].partition(".")
        at = f"  [{section}] {field}"
        shown = ", ".join(json.dumps(words, ensure_ascii=False) for words in term["words"])
        head = f"{at:{_FIELD}} {term['language']:4}{'hidden: ' if term['hidden'] else ''}"
        yield from _filled(head + shown, _TERMS)


def _filled(line: str, margin: int) -> list[str]:
    return textwrap.wrap(line, _WIDTH, subsequent_indent=" " * margin, break_on_hyphens=False)


def _said_language(found: Mapping[str, Any]) -> str:
    counted = f"{found['words']} words in {found['sentences']} sentences"
    return f"{found['language']}; considered: {', '.join(found['considered'])}; {counted}"


def _said_names(found: Mapping[str, Any]) -> str:
    speaker = f"; said by {found['speaker']}" if found["speaker"] else ""
    return (", ".join(found["names"]) or "none") + speaker


def _said_gate(found: Mapping[str, Any]) -> str:
    return f"{'searches memory' if found['searches'] else 'skips memory'} ({found['reason']})"


def _said_dates(found: Mapping[str, Any]) -> str:
    shown = "; ".join(f"{start} to {end}" for start, end in found["periods"]) or "none"
    asks = "; asks for a time" if found["asks_when"] else ""
    return f"{shown}{asks} (it is {found['now']})"


def _said_trust(found: Mapping[str, Any]) -> str:
    judged = "; ".join(
        f"{how}: {'quarantined, ' + ', '.join(reasons) if reasons else 'believed'}"
        for how, reasons in found.items()
        if how != "signs"
    )
    odds = sum(found["signs"].values())
    weighed = [f"{name} {weight:+.2f}" for name, weight in found["signs"].items()]
    more = ", ..." if len(weighed) > _SHOWN_SIGNS else ""
    return f"{judged}; odds {odds:+.2f} ({', '.join(weighed[:_SHOWN_SIGNS])}{more})"


def _said_secrets(found: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{count} {kind}" for kind, count in found["removed"].items())
    return f"{counts}: {found['kept']}" if counts else "none"


_LINES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "language": _said_language,
    "names": _said_names,
    "gate": _said_gate,
    "dates": _said_dates,
    "trust": _said_trust,
    "secrets": _said_secrets,
}
