"""Tells which kinds of upkeep are paused, why, and what goes on all the same. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..model.jobs import JobKind
from .options import UpkeepOptions

WHY: Mapping[str, str] = {
    "no_model": "no model is named in learn.llm, and no chat has lent one",
    "upkeep_budget_spent": "the tokens of the day are spent (upkeep.daily_tokens)",
    "hour_spent": "the calls of the hour that upkeep may make are made (learn.calls_per_hour)",
    "unasked": "no model answered",
}
"""By the reason word why no model may be asked."""
_NEEDS_ONE = (JobKind.JUDGE, JobKind.EPISODE, JobKind.REFLECT)
"""Kinds that do nothing without a model."""
_GOES_ON = "consolidate still merges what says the same and archives what faded"


@dataclass(frozen=True, slots=True)
class PausedKinds:
    """The kinds of upkeep that do not run by themselves."""

    off: tuple[str, ...]
    """The options that turn kinds off."""
    wanting: tuple[JobKind, ...]
    """Kinds that are on and wait for a model."""
    why: str
    """The reason word; empty if a model may be asked."""

    def __bool__(self) -> bool:
        """Whether anything that is on rests."""
        return bool(self.wanting)

    @property
    def told(self) -> str:
        """In one line for people."""
        return "; ".join(self._parts()) or "every kind runs"

    def _parts(self) -> Iterator[str]:
        if self.wanting:
            names = ", ".join(kind.value for kind in self.wanting)
            yield f"{names} wait: {WHY.get(self.why, self.why)}"
            if "upkeep.enabled" not in self.off:
                yield _GOES_ON
        if self.off:
            yield f"off: {', '.join(self.off)}"


def paused(options: UpkeepOptions, *, why: str) -> PausedKinds:
    """What rests if no model may be asked for the reason `why`; empty if one may."""
    by_itself = options.enabled
    on = {
        JobKind.JUDGE: True,
        JobKind.EPISODE: by_itself and options.kinds.episodes,
        JobKind.REFLECT: by_itself and options.kinds.reflect,
    }
    wanting = tuple(kind for kind in _NEEDS_ONE if on[kind]) if why else ()
    return PausedKinds(tuple(_off(options)), wanting, why)


def _off(options: UpkeepOptions) -> Iterator[str]:
    if not options.enabled:
        yield "upkeep.enabled"
        return
    kinds = {"episodes": options.kinds.episodes, "reflect": options.kinds.reflect}
    yield from (f"upkeep.kinds.{name}" for name, on in kinds.items() if not on)
