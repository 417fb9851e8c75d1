"""Reads an event log, and names the first line that is missing, changed or elsewhere. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from ..database.rows import owner_key
from ..model.deeds import canonical, digest_of, hash_of, keyed
from ..model.errors import InvalidInputError, RecollectError, ScopeError
from ..model.types import Scope
from ..util.amounts import amount
from .audit_log import VERSION

_JOINED = ("text", "key")
"""What an export adds to a line, beside what its hash covers."""


class AuditBrokenError(RecollectError):
    """The log does not hold together: names the line and the event."""

    code = "audit_broken"


class AuditCheck:
    """Takes the lines one by one; each method raises AuditBrokenError."""

    def __init__(self, heads: Collection[str] = ()) -> None:
        """`heads` are hashes that were kept elsewhere: each must be among those of the log."""
        self.events = 0
        self.removed = 0
        """Events before the first of their chain, which were removed for their age."""
        self.heads: dict[str, str] = {}
        """The hash of the last event of each chain, by the owner's digest."""
        self.whose: dict[str, str] = {}
        """Whose each chain is, in words."""
        self._missing = set(heads)
        self._number = 0
        self._chain: dict[str, Any] | None = None
        self._whose = ""
        self._seq, self._hash = 0, ""
        self._version: object = None
        self._ended = False

    def feed(self, line: bytes) -> None:
        """The next line, with its line break."""
        self._number += 1
        told = self._read(line)
        if self._ended:
            raise self._broken("stands after the end")
        if self._version is None:
            self._begin(told)
        elif "chain" in told:
            self._enter(told["chain"])
        elif "end" in told:
            self._leave()
            self._end(told["end"])
        else:
            self._take(told)

    def end(self) -> None:
        """All lines were read."""
        if not self._ended:
            self._number += 1
            raise self._broken("the end is missing: the log was cut off here")
        if self._missing:
            older = f" ({amount(self.removed, 'older event')} removed)" if self.removed else ""
            raise AuditBrokenError(
                f"the head {min(self._missing)} is not in the log{older}: it was written anew, "
                "or is another one"
            )

    def _read(self, line: bytes) -> dict[str, Any]:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict) or not line.endswith(b"\n"):
            raise self._broken("is no whole line of an event log: changed, or cut off")
        return told

    def _begin(self, told: dict[str, Any]) -> None:
        self._version = told.get("recollect_audit")
        if type(self._version) is not int or self._version < 1:
            raise self._broken("is not the header of an event log (`recollect audit export`)")
        if self._version > VERSION:
            raise self._broken(
                f"the log is of version {self._version}, and this program reads {VERSION}: "
                "use a newer one"
            )

    def _enter(self, chain: Any) -> None:
        with _Shape(self):
            (seq, hashed), owner = chain["after"], chain["owner"]
            again = self._chain is not None and self._chain["owner"] == owner and seq >= self._seq
            if not again:
                self._leave()
                self._seq = 0
            # Some may have been removed while the log was read.
            self.removed += seq - self._seq
            if owner != owner_key(_scope_of(chain)):
                raise self._broken(f"the chain is not that of {_named(chain)}")
            if owner in self.heads:
                raise self._broken(f"the chain of {_named(chain)} stands there twice")
            self._chain, self._whose = chain, _named(chain)
            self._seq, self._hash = seq + 0, str(hashed)
            self._missing.discard(self._hash)

    def _leave(self) -> None:
        if self._chain is None:
            return
        with _Shape(self):
            last, hashed = self._chain["head"]
            if last > self._seq:
                raise self._broken(f"before it {_numbers(self._seq + 1, last, self._of)} missing")
            if (last, hashed) != (self._seq, self._hash):
                raise self._broken(f"before it, the last event {self._of} is not the chain's end")
            self.heads[self._chain["owner"]] = self._hash
            self.whose[self._chain["owner"]] = self._whose
            self._chain = None

    def _take(self, told: dict[str, Any]) -> None:
        if self._chain is None:
            raise self._broken("is an event outside a chain")
        with _Shape(self):
            hashed, seq = told.pop("hash"), told["seq"]
            for each in told["lines"]:
                self._compare(each, seq)
            if hash_of(canonical(told)) != hashed:
                raise self._broken(f"event {seq} {self._of} was changed")
            if told["owner"] != self._chain["owner"]:
                raise self._broken(f"event {seq} is of another chain than that {self._of}")
            if seq > self._seq + 1:
                missing = _numbers(self._seq + 1, seq - 1, self._of)
                raise self._broken(f"before event {seq}, {missing} missing or elsewhere")
            if seq <= self._seq:
                raise self._broken(f"event {seq} {self._of} stands after event {self._seq}")
            if told["previous"] != self._hash:
                raise self._broken(f"event {seq} {self._of} does not follow the one before it")
        self._seq, self._hash = seq, hashed
        self.events += 1
        self._missing.discard(hashed)

    def _compare(self, line: dict[str, Any], seq: object) -> None:
        """A text that was joined has to be the one whose hash the event tells."""
        text, key = (line.pop(name, None) for name in _JOINED)
        if text is not None and keyed(key, digest_of(text)) != line.get("hash"):
            raise self._broken(f"event {seq} {self._of} tells another text than its line")

    def _end(self, end: Any) -> None:
        with _Shape(self):
            if (end["events"], end["chains"]) != (self.events, len(self.heads)):
                raise self._broken(
                    f"tells of {end['events']} events of {end['chains']} chains, and there are "
                    f"{self.events} of {len(self.heads)}"
                )
        self._ended = True

    @property
    def _of(self) -> str:
        return f"of {self._whose}"

    def _broken(self, what: str) -> AuditBrokenError:
        return AuditBrokenError(f"line {self._number}: {what}")


_MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, RecursionError, ScopeError,
    InvalidInputError,
)  # fmt: skip


class _Shape:
    """A line without what it should have, or with something else in its place, is broken too."""

    def __init__(self, check: AuditCheck) -> None:
        self._broken: Callable[[str], AuditBrokenError] = check._broken  # noqa: SLF001 - its part

    def __enter__(self) -> None:
        """Nothing is opened."""

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, _MISSHAPEN):
            raise self._broken("is no line of an event log: it was changed") from None


def _scope_of(chain: dict[str, Any]) -> Scope:
    return Scope(tenant=chain["tenant"], **{name: chain[name] for name in _IDS if name in chain})


def _named(chain: dict[str, Any]) -> str:
    ids = (f"{name.removesuffix('_id')} {chain[name]}" for name in _IDS if name in chain)
    return ", ".join(ids)


_IDS = ("user_id", "agent_id", "run_id")


def _numbers(first: int, last: int, whose: str) -> str:
    one = first == last
    return f"event {first} {whose} is" if one else f"events {first} to {last} {whose} are"
