"""Tracks how a model did at extraction, and whether it may be asked again. Pure.

A model that never gave a readable answer, or failed last, is on trial: each extraction is counted
before its first call, so that neither a restart nor a crash makes more of them. After `MAX_TRIES`
in a row it is left alone for a time that doubles, and then tried by one job at a time. A model
whose server is down waits as well, for as long as a job would.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta

MAX_TRIES = 3
"""Extractions in a row without a readable answer: with `FEW_VAIN` calls each they are 12."""
FIRST_REST = timedelta(hours=1)
LONGEST_REST = timedelta(hours=24)
ASKED_FOR = timedelta(minutes=15)
"""Least time between two tries that somebody asks for, while a model is left alone."""


@dataclass(frozen=True, slots=True)
class ModelTrust:
    """The record of one model for one tenant."""

    proven: bool = False
    """Whether it ever gave a readable answer."""
    tries: int = 0
    """Extractions since the last readable answer."""
    outages: int = 0
    """The same that ended because its server was down."""
    failure: str = ""
    """The reason word of the last failure."""
    since: datetime | None = None
    """When it was first left alone."""
    until: datetime | None = None
    """When it may be asked again."""
    tried: datetime | None = None
    """When the last counted extraction began."""
    open: bool = False
    """Whether the end of that one is unknown."""
    by: str = ""
    """The job of the first failure after a success, or of the last counted extraction."""

    @property
    def trusted(self) -> bool:
        """Whether it worked the last time: nothing is counted."""
        return self.proven and not self.tries and not self.outages

    @property
    def rests(self) -> bool:
        """Whether it is left alone but for single tries."""
        return self.tries >= MAX_TRIES

    def closed_until(self, now: datetime) -> datetime | None:
        """Until when no extraction may begin; None if one may now."""
        return self.until if self.until is not None and self.until > now else None


WORKED = ModelTrust(proven=True)


def begun(trust: ModelTrust, job: str, now: datetime, wait: timedelta) -> ModelTrust:
    """An extraction begins. If its end never comes it has failed, and the pauses are as then.

    `wait` is the pause if the server is still down.
    """
    tries = trust.tries + 1
    until = now + wait if trust.outages else None
    if tries >= MAX_TRIES:
        until = now + rest(tries)
    by = job if not trust.proven or not trust.by else trust.by
    return replace(trust, tries=tries, until=until, tried=now, open=True, by=by)


def failed(
    trust: ModelTrust, job: str, failure: str, now: datetime, *, counted: bool
) -> ModelTrust:
    """It gave no readable answer. `counted`: its beginning was.

    A second failure of the job that a proven model failed at first is no news: it is the job's.
    """
    before = trust.tries - counted
    again = trust.proven and trust.by == job and before < MAX_TRIES
    tries = max(1, before + (not again))
    resting = tries >= MAX_TRIES
    return replace(
        trust,
        tries=tries,
        outages=0,
        failure=failure,
        since=(trust.since or now) if resting else None,
        until=now + rest(tries) if resting else None,
        open=False,
        by=trust.by or job,
    )


def down(
    trust: ModelTrust, failure: str, now: datetime, wait: timedelta, *, counted: bool
) -> ModelTrust:
    """Its server is down, which is no try: it waits, and no job asks before."""
    return replace(
        trust,
        tries=trust.tries - counted,
        outages=trust.outages + 1,
        failure=failure,
        until=now + wait,
        open=False,
    )


def undone(trust: ModelTrust, *, counted: bool) -> ModelTrust:
    """It ended for a reason that says nothing about the model."""
    if not counted:
        return trust
    return replace(trust, tries=trust.tries - 1, until=None, open=False)


def released(trust: ModelTrust, now: datetime) -> ModelTrust:
    """Somebody asks for a try now. At most one in `ASKED_FOR` while the model is left alone."""
    recent = trust.tried is not None and now < trust.tried + ASKED_FOR
    if trust.until is None or (trust.rests and recent):
        return trust
    return replace(trust, until=None)


def rest(tries: int) -> timedelta:
    """How long a model is left alone after so many tries."""
    # The exponent is bounded: a timedelta overflows.
    doubled: int = 2 ** min(max(tries - MAX_TRIES, 0), 10)
    return min(FIRST_REST * doubled, LONGEST_REST)


def dump(trust: ModelTrust) -> str:
    """The trust as JSON."""
    return json.dumps(asdict(trust), default=datetime.isoformat)


def load(text: str | None) -> ModelTrust:
    """The trust of `dump`; as much of it as this version understands."""
    if text is None:
        return ModelTrust()
    try:
        values = json.loads(text)
    except ValueError:
        return ModelTrust()
    moments = ("since", "until", "tried")
    known = {each.name: values[each.name] for each in fields(ModelTrust) if each.name in values}
    read = {name: datetime.fromisoformat(known[name]) for name in moments if known.get(name)}
    return ModelTrust(**(known | read))
