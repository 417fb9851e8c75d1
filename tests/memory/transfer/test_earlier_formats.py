"""What earlier commits exported is imported: it is how what they kept is brought over."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from recollect.memory.model.types import Doubt, MemoryStatus, MemoryType, Provenance, Source
from recollect.memory.transfer.earlier_formats import as_now, present_id
from recollect.memory.transfer.line_reader import Carried, read_line
from recollect.memory.transfer.lines import Header
from recollect.memory.transfer.seals import Seals
from tests.memory.state.samples import NOON
from tests.memory.transfer.moving import Place, item

FILES = sorted(Path(__file__).parent.glob("earlier-*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
async def test_an_export_of_an_earlier_commit(file):
    """Every line is imported, with its status, its text, its times and its history."""
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    there = Place()
    counts = await there.take(file.read_bytes())
    told = [line for line in lines if "memory" in line]
    assert len(told) > 3
    said = [line for line in lines if "said" in line]
    assert (counts.refused, counts.added) == (0, len(told) + len(said))
    named = {(m["text"], m["status"], m["created_at"]) for m in (line["memory"] for line in told)}
    rows = (await there.rows()).values()
    assert named == {(r.text, r.status.value, r.created_at.isoformat()) for r in rows}
    kept = [await there.history(row.id) for row in rows]
    assert sum(map(len, kept)) >= sum(len(line.get("history", ())) for line in told)


def test_what_was_a_choice_has_one_name():
    """MiniLM's vectors are called alike, quantised or not; every other id stays."""
    for stored, present in {
        "all-MiniLM-L6-v2-int8": "all-MiniLM-L6-v2",
        "all-MiniLM-L6-v2-int8+use-multilingual-v3": "all-MiniLM-L6-v2+use-multilingual-v3",
        "use-multilingual-v3": "use-multilingual-v3",
        "somebody/all-MiniLM-L6-v2-int8": "somebody/all-MiniLM-L6-v2-int8",
    }.items():
        assert present_id(stored) == present
        header = {"recollect": "export", "format": 2, "embedder": stored, "dim": 3}
        read = read_line(json.dumps(header).encode(), None, Seals("local"))
        assert isinstance(read, Header)
        assert read.embedder == present


def archived(**origin):
    return item("m", status=MemoryStatus.ARCHIVED, provenance=Provenance(**origin))


def test_an_archived_memory_gets_what_restores_it():
    """It did not say what it was; doubt and an end are never lifted by guessing."""
    found = as_now(archived())
    origin = found.provenance
    assert (origin.archived_from, origin.archived_at) == (
        MemoryStatus.ACTIVE,
        NOON + timedelta(hours=1),
    )
    assert found.updated_at == NOON
    flagged = as_now(archived(flags=("secrecy",))).provenance
    assert flagged.archived_from is MemoryStatus.QUARANTINED
    version = as_now(archived(superseded_by="n")).provenance
    assert version.archived_from is MemoryStatus.SUPERSEDED
    known = archived(archived_from=MemoryStatus.ACTIVE, archived_at=NOON)
    assert as_now(known) is known


def test_flags_get_their_reasons_and_a_validation_its_time():
    """Nothing but a person made active what is flagged."""
    found = as_now(item("m", provenance=Provenance(flags=("secrecy",)))).provenance
    assert found.reasons == (Doubt("secrecy"),)
    assert found.validated_at == NOON + timedelta(hours=1)
    held = item("m", status=MemoryStatus.QUARANTINED, provenance=Provenance(flags=("secrecy",)))
    assert as_now(held).provenance.validated_at is None
    plain = item("m")
    assert as_now(plain) is plain


def test_an_episode_gets_its_stretch():
    """It told all that was said in its turns: a fact has the words it follows from."""
    origin = Provenance(source=Source.EXTRACTION, turn_ids=("t1", "t2"))
    told = item("m", type=MemoryType.EPISODIC, provenance=origin)
    assert as_now(told).provenance.stretch == "t1"
    for lacks in ({"quote": "tea"}, {"cites": ("a",)}, {"given": "k"}, {"source": Source.TOOL}):
        other = item(
            "m",
            type=MemoryType.EPISODIC,
            provenance=Provenance(**({"source": Source.EXTRACTION, "turn_ids": ("t1",)} | lacks)),
        )
        assert as_now(other) is other


def test_lines_of_now_are_left_alone():
    """A format of ours says itself what it means."""
    line = {"memory": {"id": "m", "text": "x", "type": "semantic", "status": "archived",
                       "user_id": "alice", "created_at": NOON.isoformat(),
                       "updated_at": NOON.isoformat(), "provenance": {"source": "user"}}}  # fmt: skip
    for number, was in ((2, MemoryStatus.ACTIVE), (3, None)):
        header = Header(embedder="e", dim=3, vectors=False, format=number)
        read = read_line(json.dumps(line).encode(), header, Seals("local"))
        assert isinstance(read, Carried)
        assert read.item.provenance.archived_from is was
