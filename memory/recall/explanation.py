"""Explains a recall: signals, ranks, weights, thresholds, and why a memory was left out. Pure.

An explanation contains the texts of memories, for their owner, and never the text of the query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..model.doubts import reason_dicts
from ..model.salience import day_of, salience
from ..model.types import ScoredMemory
from ..model.usage import UNUSED, Usage, UseKind
from .constants import Tuning
from .options import RecallOptions
from .profile import Role
from .ranking import Ranked, Ranking, is_expanded
from .score_fusion import contributions, ranks, weights_of
from .selection import Drop, Selection
from .signals import SIGNALS

_DIGITS = 4
ANSWER = "answer"
"""The role of what was chosen because it matches the query."""
CONNECTED = "connected"
"""The role of what was chosen because a better hit leads to it."""
SKIPPED = "skipped"
"""Why a chat is not given what a search would find: it does not search."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A selection with its reasons, in JSON types."""

    selection: Selection
    settings: Mapping[str, Any]
    """The settings that all memories share."""
    profile: tuple[Mapping[str, Any], ...]
    """One entry for each memory that was chosen because of who asks."""
    memories: tuple[Mapping[str, Any], ...]
    """One entry for each ranked memory, best first."""
    held_back: tuple[Mapping[str, Any], ...] = ()
    """One for each quarantined memory that is near enough in meaning, with its reasons."""

    def as_dict(self) -> dict[str, Any]:
        """The explanation as one JSON object."""
        left_out = Counter(row["reason"] for row in self.memories if not row["chosen"])
        left_out["rank"] = self.selection.seen - len(self.memories)
        return {
            **self.settings,
            "seen": self.selection.seen,
            "chosen": len(self.selection.chosen),
            "tokens": self.selection.tokens,
            "lines": [hit.item.id for hit in self.selection.chosen],
            "left_out": {reason: count for reason, count in left_out.items() if count},
            "profile": list(self.profile),
            "memories": list(self.memories),
            "held_back": list(self.held_back),
        }

    def given(self, chosen: Selection) -> Explanation:
        """The same search for a chat that is given something else of it, or nothing."""
        ids = {hit.item.id for hit in chosen.chosen}
        memories = tuple(
            {**row, "chosen": False, "role": "", "reason": SKIPPED}
            if row["chosen"] and row["id"] not in ids
            else row
            for row in self.memories
        )
        selection = replace(chosen, seen=self.selection.seen)
        return replace(self, selection=selection, profile=_lines(chosen), memories=memories)


def explain(
    ranking: Ranking,
    selection: Selection,
    options: RecallOptions,
    calibration: Calibration,
    embedder_id: str,
    held: Sequence[ScoredMemory] = (),
    used: Mapping[str, Usage] = MappingProxyType({}),
    *,
    now: datetime,
) -> Explanation:
    """Explain a selection.

    `held` are quarantined memories that would have matched, `used` the counters of the ranked ones.
    """
    evident = {hit.item.id for hit in ranking.ranked if hit.relevant}
    selection = replace(
        selection, chosen=tuple(_as_answer(hit, evident) for hit in selection.chosen)
    )
    memories = _memories(ranking, selection, options.tuning, used, day_of(now))
    settings = _settings(ranking, options, calibration, embedder_id)
    return Explanation(
        selection, settings, _lines(selection), memories, tuple(map(_held_back, held))
    )


def _memories(
    ranking: Ranking, selection: Selection, tuning: Tuning, used: Mapping[str, Usage], day: datetime
) -> tuple[Mapping[str, Any], ...]:
    """One entry for each ranked memory, with its fate and what speaks for it."""
    weights = weights_of(ranking.signals, tuning)
    among = np.isfinite(ranking.scores)
    places = [ranks(np.where(among, row, -1.0)) for row in ranking.signals.table]
    terms = contributions(ranking.signals, tuning)
    roles = {hit.item.id: hit.role or _own_role(hit) for hit in selection.chosen}
    fates: dict[str, Drop] = {hit.item.id: reason for hit, reason in selection.dropped}
    return tuple(
        _memory(
            number,
            hit,
            roles.get(hit.item.id, ""),
            fates.get(hit.item.id),
            weights,
            terms[:, hit.position],
            [row[hit.position] for row in places],
        )
        | {"salience": round(salience(hit.item, day, used.get(hit.item.id, UNUSED)), _DIGITS)}
        | _used(used.get(hit.item.id))
        | _connected(hit)
        for number, hit in enumerate(ranking.ranked, start=1)
    )


def _settings(
    ranking: Ranking, options: RecallOptions, calibration: Calibration, embedder_id: str
) -> dict[str, Any]:
    """What all memories share: the parts, the bounds, and how sure it is that anything answers."""
    return {
        "embedder": embedder_id,
        "used": [name.value for name in SIGNALS if name in ranking.signals.used],
        "evidence": {
            "best": round(ranking.evidence, _DIGITS),
            "least": options.threshold,
            "clear": options.tuning.clear,
        },
        "calibration": asdict(calibration),
        "bounds": {
            "limit": options.limit,
            "token_budget": options.token_budget,
        },
    }


def _as_answer(hit: Ranked, evident: Collection[str]) -> Ranked:
    """What answers does so also if it was taken beside another answer."""
    return hit._replace(role="") if hit.role == Role.LATER and hit.item.id in evident else hit


def _own_role(hit: Ranked) -> str:
    return CONNECTED if is_expanded(hit) else ANSWER


def _connected(hit: Ranked) -> dict[str, Any]:
    """How a better hit leads to a memory; nothing if none does."""
    step = hit.step
    if step is None:
        return {}
    told = {"from": step.seed, "by": step.by, "relation": step.relation or None}
    return {"connected": told | {"value": round(step.value, _DIGITS)}}


def _lines(selection: Selection) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        {"id": hit.item.id, "memory": hit.item.text, "role": hit.role}
        for hit in selection.chosen
        if hit.role
    )


def _used(usage: Usage | None) -> dict[str, Any]:
    """The counters of a memory that was used, and none of any other."""
    if usage is None:
        return {}
    last = usage.last_recalled
    told: dict[str, Any] = {use.value: getattr(usage, use.value) for use in UseKind}
    told["last_recalled"] = last and last.isoformat(timespec="milliseconds")
    told["rating"] = round(usage.rating, _DIGITS)
    return {"usage": told}


def _held_back(hit: ScoredMemory) -> dict[str, Any]:
    return {
        "id": hit.item.id,
        "memory": hit.item.text,
        "cosine": round(hit.score, _DIGITS),
        "created_at": hit.item.created_at.isoformat(timespec="milliseconds"),
        "reasons": reason_dicts(hit.item.provenance.reasons),
    }


def _memory(
    number: int,
    hit: Ranked,
    role: str,
    dropped: Drop | None,
    weights: npt.NDArray[np.float64],
    terms: npt.NDArray[np.float64],
    places: list[float],
) -> dict[str, Any]:
    item = hit.item
    fused, plain = float(terms.sum()), hit.score - hit.feedback - hit.theme
    return {
        "id": item.id,
        "memory": item.text,
        "source": item.provenance.source.value,
        "rank": number,
        "chosen": dropped is None,
        "role": role,
        "reason": "chosen" if dropped is None else dropped.value,
        "score": round(hit.score, _DIGITS),
        "cosine": round(hit.cosine, _DIGITS),
        "coverage": round(hit.coverage, _DIGITS),
        "evidence": round(hit.evidence, _DIGITS),
        "right": round(hit.right, _DIGITS),
        "age_and_importance": round(plain / fused, _DIGITS) if fused > 0 else None,
        "feedback": round(hit.feedback / plain, _DIGITS) if plain > 0 else 0.0,
        "theme": round(hit.theme / plain, _DIGITS) if plain > 0 else 0.0,
        "created_at": item.created_at.isoformat(timespec="milliseconds"),
        "importance": item.importance,
        "signals": _signals(hit, weights, terms, places),
    }


def _signals(
    hit: Ranked,
    weights: npt.NDArray[np.float64],
    terms: npt.NDArray[np.float64],
    places: list[float],
) -> dict[str, Any]:
    """What each signal that the query has says of a memory."""
    return {
        name.value: {
            "value": round(value, _DIGITS),
            "weight": round(float(weight), _DIGITS),
            "adds": round(float(term), _DIGITS),
            "rank": int(place),
        }
        for name, value, weight, term, place in zip(
            SIGNALS, hit.values, weights, terms, places, strict=True
        )
        if weight
    }
