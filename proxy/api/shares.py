"""How much of something may be in use at a time: in all, by one tenant, by one user. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claimant:
    """Who uses it."""

    tenant: str
    user: str | None = None
    """None: somebody who acts for the whole tenant."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most of each."""

    total: int
    per_tenant: int
    per_user: int


class ShareTakenError(Exception):
    """The claimant has its share already, or all of it is in use; nothing was done."""


class Shares:
    """Counts what is in use. What is asked for when one uses nothing is given, however much."""

    def __init__(self, what: str, most: Ceiling) -> None:
        """`what` is in use, in the plural, for people."""
        self._what = what
        self._most = most
        self._used: Counter[Claimant | str | None] = Counter()

    @property
    def used(self) -> int:
        """How much is in use in all."""
        return self._used[None]

    @contextmanager
    def taken(self, claimant: Claimant, size: int = 1) -> Iterator[None]:
        """Use so much for the time of the block. Raises ShareTakenError."""
        keys = self._keys(claimant)
        for key, most, owner_ref in keys:
            if self._used[key] and self._used[key] + size > most:
                raise ShareTakenError(
                    f"{owner_ref} {most} {self._what} at a time: end one, or wait"
                )
        for key, _, _ in keys:
            self._used[key] += size
        try:
            yield
        finally:
            for key, _, _ in keys:
                self._used[key] -= size
                if not self._used[key]:
                    del self._used[key]

    def _keys(self, claimant: Claimant) -> list[tuple[Claimant | str | None, int, str]]:
        most = self._most
        keys: list[tuple[Claimant | str | None, int, str]] = [
            (claimant.tenant, most.per_tenant, "a tenant may have"),
            (None, most.total, "this server has at most"),
        ]
        if claimant.user is not None:
            keys.insert(0, (claimant, most.per_user, "a user may have"))
        return keys
