"""The check of where memories go, and what the model server refused."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.filters import Place

from ..chat.placing.families import order
from ..chat.placing.places import FILE_NAME, SAID, chosen, read_records
from ..chat.placing.record import Records
from .findings import CheckFailedError

NOWHERE = "the model server refuses memories in every place; see its log for why, and ours for when"


async def check_places(settings: Settings) -> str:
    """Say where memories go for any model, and where for those whose server refused a place."""
    base_url, now = settings.upstream.base_url, time.time()
    learned = read_records(settings.data_dir / FILE_NAME, base_url)
    usual = order(settings.recall.position, base_url, "")[0]
    found = {
        model: chosen(order(settings.recall.position, base_url, model), records, lambda: now)
        for model, records in learned.items()
    }
    seen = [f"memories go {SAID[usual]} ({usual.value})"]
    seen += [_about(model, learned[model], place) for model, place in sorted(found.items())]
    if None in found.values():
        raise CheckFailedError("; ".join(seen), NOWHERE)
    return "; ".join(seen)


def _about(model: str, records: Records, place: Place | None) -> str:
    refused = ", ".join(
        f"{each.value} was refused with {record.status} at {_at(record.at)}"
        for each, record in records.items()
    )
    return f"model {model!r}: {place.value if place else 'nowhere'}, since {refused}"


def _at(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
