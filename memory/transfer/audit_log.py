"""What the memory did as lines of JSON: a header, each chain with its links, an end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence

from ..database.deeds import SqlDeeds
from ..model.deeds import ChainHead, Link, canonical, digest_of, keyed
from ..model.errors import InvalidInputError
from ..model.owner import owning_tenant, user_of
from ..model.times import iso
from ..model.types import OwnerRef, Scope, utc_now
from ..records.lookup import MemoryLookup

VERSION = 1
"""Of the lines."""


async def audit_lines(
    deeds: SqlDeeds, lookup: MemoryLookup, owner_ref: OwnerRef, *, texts: bool = False
) -> AsyncIterator[bytes]:
    """The lines of an owner, some at a time.

    With `texts` a line has the text of its memory, or of what was said, and the key of its hash, if
    that is there and still says the same.

    Raises:
        InvalidInputError: a scope below a user is named.
        StateError, StoreError: the database failed.
    """
    if isinstance(owner_ref, Scope) and user_of(owner_ref) != owner_ref:
        raise InvalidInputError("user_id", "name a user alone: events are kept by user")
    yield _line({"recollect_audit": VERSION, "at": iso(utc_now())})
    heads, events = await deeds.heads(owner_ref), 0
    for head in heads:
        yield _line({"chain": _told(head)})
        after = head.first_seq
        while after < head.seq:
            page = await deeds.page(head.owner, after, head.seq)
            if not page or page[0].seq > after + 1:
                # Those in between may have been removed for their age meanwhile.
                [now] = [each for each in await deeds.heads(head.scope) if each.owner == head.owner]
                if now.first_seq > after:
                    yield _line({"chain": _told(now) | {"head": [head.seq, head.hash]}})
                    after = now.first_seq
                    continue
            if not page:
                break
            events, after = events + len(page), page[-1].seq
            yield await _lines(page, deeds, lookup, owner_ref, texts=texts)
    yield _line({"end": {"events": events, "chains": len(heads)}})


async def _lines(
    page: Sequence[Link], deeds: SqlDeeds, lookup: MemoryLookup, whose: OwnerRef, *, texts: bool
) -> bytes:
    if not texts:
        return b"".join(f"{each.line}\n".encode() for each in page)
    told = [json.loads(each.line) for each in page]
    ids = sorted({line["memory_id"] for each in told for line in each["lines"]})
    salts = await deeds.salts(owning_tenant(whose), ids)
    items = await lookup.several(whose, ids)
    for each in told:
        for line in each["lines"]:
            found, key = items.get(line["memory_id"]), salts.get(line["memory_id"])
            if found and key and keyed(key, digest_of(found.text)) == line.get("hash"):
                line |= {"text": found.text, "key": key}
    return b"".join(map(_line, told))


def _told(head: ChainHead) -> dict[str, object]:
    ids = {"tenant": head.scope.tenant, **head.scope.ids()}
    ends = {"after": [head.first_seq, head.first_hash], "head": [head.seq, head.hash]}
    return {"owner": head.owner, **ids, **ends}


def _line(value: dict[str, object]) -> bytes:
    return canonical(value).encode() + b"\n"
