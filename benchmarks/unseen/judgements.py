"""What the product decides about one row, as JSON: the one file to change when its interface does.

Each function returns everything that a judgement says of a text or row, so that two versions of the
product can be compared row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from recollect.filters.gate.reasons import decide
from recollect.filters.rewrite.options import RewriteOptions
from recollect.filters.rewrite.terms import rewrite, self_contained
from recollect.memory.language import index_terms, names_in, speaker_of
from recollect.memory.language.dates import asks_when, periods
from recollect.memory.learn.belief import is_unconfirmed
from recollect.memory.learn.firewall import clean
from recollect.memory.model.types import (
    Candidate,
    Decision,
    MemoryType,
    Message,
    Scope,
    Source,
    Turn,
)
from recollect.memory.trust.quarantine import judge, judge_text
from recollect.memory.trust.quarantine.utterances import claims
from recollect.memory.trust.quarantine.values import Suspicion
from recollect.memory.trust.redact import RedactOptions, Redactor
from recollect.memory.trust.redact.options import PersonalOptions
from tests.support.findings import find_personal, find_secrets

Row = Mapping[str, Any]
NOW = datetime(2026, 5, 14, 15, 0, tzinfo=UTC)
"""When every question is asked, so that relative dates do not depend on the day of the run."""
_DEFAULT = Redactor(RedactOptions())
_STRICT = PersonalOptions(email="redact", phone="redact", address="redact", birth_date="redact")
_SCOPE = Scope(tenant="bench", user_id="u")


def chat(rows: Sequence[Mapping[str, str]]) -> list[Message]:
    """Messages of a row."""
    return [Message(role=row["role"], content=row["content"]) for row in rows]


def gate(messages: Sequence[Message]) -> str:
    """The gate's reason; `GateReason.recall` says whether it means a recall."""
    return str(decide(messages))


def skips(messages: Sequence[Message]) -> bool:
    """Whether the gate leaves memory out."""
    return not decide(messages).recall


def rewritten(row: Row) -> dict[str, Any]:
    """The query of a row of the rewrite set, by each strategy that needs no model."""
    messages = [*chat(row["history"]), Message(role="user", content=row["query"])]
    return {
        "self_contained": self_contained(row["query"]),
        "terms": rewrite(messages, RewriteOptions()),
        "without_reply": _without_reply(messages),
    }


def _without_reply(messages: Sequence[Message]) -> str:
    with patch("recollect.filters.rewrite.terms.REPLY_TERMS", 0):
        return rewrite(messages, RewriteOptions())


def suspicion(text: str, messages: Sequence[Message], source: str = "user") -> list[list[str]]:
    """The reasons for a quarantine of a learned fact; none if it is believed."""
    return _reasons(judge(text, messages, source=source))


def suspicion_of_text(text: str, role: str = "user") -> list[list[str]]:
    """The same for a text that a message of `role` gives directly."""
    return _reasons(judge_text(text, role))


def sentences(text: str, role: str = "user") -> list[bool]:
    """For each sentence of a text that is given directly, whether it is withheld."""
    found = judge_text(text, role)
    held = found.spans if found else ()
    return [
        any(start < last and first < end for first, last in held)
        for start, end in (one.span for one in claims(text))
    ]


def unconfirmed(role: str) -> bool:
    """Whether `learn.unconfirmed` holds back by default what only a message of `role` says."""
    said = Candidate(text="x", type=MemoryType.SEMANTIC, turn_ids=(), source=Source(role))
    return is_unconfirmed(said)


def _reasons(found: Suspicion | None) -> list[list[str]]:
    reasons = found.reasons if found else ()
    return [[reason.kind.value, reason.where, reason.detail] for reason in reasons]


def redacted(text: str) -> str:
    """The text as it would be stored."""
    return _DEFAULT.redact(text).text


def findings(text: str, *, strict: bool = False) -> list[list[Any]]:
    """Where secrets were found: start, end, kind."""
    found = find_secrets(text)
    if strict:
        found = [*found, *find_personal(text, _STRICT.redacted())]
    return [[f.start, f.end, str(f.kind)] for f in found]


def reading(text: str) -> dict[str, Any]:
    """What recall reads in a text."""
    terms = index_terms(text)
    return {
        "language": terms.language,
        "terms": " ".join(terms.terms),
        "names": sorted(names_in(text)),
        "speaker": speaker_of(text),
        "asks_when": asks_when(text),
        "periods": [[p.start.isoformat(), p.end.isoformat()] for p in periods(text, NOW)],
    }


def cleaned(user: str, assistant: str = "") -> dict[str, Any]:
    """What the firewall leaves of a turn."""
    turn = Turn(
        id="t", scope=_SCOPE, conversation_id="c", user_text=user, assistant_text=assistant,
        model="m", created_at=NOW,
    )  # fmt: skip
    result = clean([turn])
    [left] = result.turns
    return {
        "removed": dict(sorted(result.removed.items())),
        "user": left.user_text,
        "assistant": left.assistant_text,
    }


def decided(decision: Decision) -> dict[str, Any]:
    """A reconciliation."""
    return {
        "event": decision.event.value,
        "id": decision.memory_id,
        "stage": decision.stage,
        "reason": decision.reason,
        "pending": bool(decision.pending),
    }
