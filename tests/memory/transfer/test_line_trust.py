"""What somebody may have written is no user's word, and has no secret anywhere."""

import json
from dataclasses import replace

from recollect.memory.model.claims import EntityClaim, GraphClaims
from recollect.memory.model.types import Doubt, EventKind, HistoryRecord, Provenance, Source
from tests.memory.state.samples import NOON
from tests.memory.transfer.moving import ALICE, Place, item, unsealed
from tests.support.folding import rows

KEY = "sk-proj-abcdefghijklmnop1234567890ABCDEFGHIJ"
TOKEN = "aB3xK9pQ7zL2mN8vR4tY6wE1"
"""Looks random, as ids of other programs do."""


async def taken(row, *, signed, key=b"another"):
    """The row as it is after an export and an import."""
    here = Place()
    await here.keep(row)
    there = Place() if signed else Place(key)
    await there.take(await here.export())
    [found] = (await there.rows()).values()
    return found


@rows("source", Source)
async def test_only_a_signature_proves_what_the_user_said(source):
    """Whoever writes a line can claim it; what it says of others is no claim to be trusted."""
    row = item("m", provenance=Provenance(source=source))
    assert (await taken(row, signed=True)).provenance.source is source
    claimed = not source.is_hearsay
    expected = Source.IMPORTED if claimed else source
    assert (await taken(row, signed=False)).provenance.source is expected


async def test_a_changed_line_proves_nothing():
    """Its seal shows whose id it is, and no more."""
    place = Place()
    await place.keep(item("m"))
    data = (await place.export()).replace(b"green tea", b"green tin")
    elsewhere = Place()
    await elsewhere.take(data)
    assert (await elsewhere.rows())["m"].provenance.source is Source.IMPORTED


async def test_what_is_here_stays_the_users():
    """A library without a key imports its own export: nothing is changed by it."""
    place = Place(None)
    await place.keep(item("m", provenance=Provenance(source=Source.USER)))
    counts = await place.take(await place.export())
    assert counts.same == 1
    assert (await place.rows())["m"].provenance.source is Source.USER


async def test_secrets_go_wherever_they_stand():
    """In metadata and in each text of the provenance and of the history; ids are only renamed."""
    origin = Provenance(
        quote=f"my key is {KEY}",
        subject=KEY,
        predicate=KEY,
        object=KEY,
        ended=f"reconcile: {KEY}",
        model=KEY,
        flags=(KEY,),
        reasons=(Doubt(KEY, KEY, KEY, KEY),),
        turn_ids=(TOKEN,),
        conversation_id=TOKEN,
        batch=TOKEN,
        matter=TOKEN,
        stretch=TOKEN,
    )
    metadata = {"note": KEY, KEY: 1, "deep": [{"password": "hunter2"}], "thread_id": TOKEN}
    row = item("m", provenance=origin, metadata=metadata)
    here, there = Place(), Place(b"another")
    await here.keep(row, history=False)
    await here.parts.history.append(
        [
            HistoryRecord(
                id="r",
                memory_id="m",
                event=EventKind.UPDATE,
                old_value=KEY,
                new_value=KEY,
                timestamp=NOON,
                is_deleted=False,
                scope=ALICE,
                stage=KEY,
                reason=KEY,
                reasons=(Doubt(KEY, KEY, KEY, KEY),),
            )
        ]
    )
    await there.take(await here.export())
    again = (await there.export()).decode()
    assert KEY not in again
    assert "hunter2" not in again
    [found] = (await there.rows()).values()
    assert found.metadata["thread_id"] == TOKEN
    origin = found.provenance
    ids = [*origin.turn_ids, origin.conversation_id, origin.batch, origin.matter, origin.stretch]
    assert not any("removed" in each for each in ids if each)


async def test_a_signed_line_is_taken_as_it_is():
    """Its installation redacted it when it was written, as it was configured to."""
    row = item("m", metadata={"note": KEY})
    assert (await taken(row, signed=True)).metadata == {"note": KEY}


async def test_importing_again_changes_nothing():
    """What was redacted is found again."""
    here, there = Place(), Place(b"another")
    await here.keep(item("m", metadata={"password": "hunter2"}))
    data = unsealed(await here.export())
    await there.take(data)
    before = await there.rows()
    counts = await there.take(data)
    assert (counts.same, counts.updated) == (1, 0)
    assert await there.rows() == before
    assert json.loads(data.splitlines()[1])["memory"]["metadata"] == {"password": "hunter2"}
    [row] = before.values()
    assert row.provenance == replace(row.provenance, source=Source.IMPORTED)


@rows("signed", [True, False])
async def test_only_a_signature_proves_a_validation(signed):
    """Anybody can write that a person approved a wish."""
    row = item("m", provenance=Provenance(validated_at=NOON, flags=("exfiltration",)))
    origin = (await taken(row, signed=signed)).provenance
    assert (origin.validated_at is not None, bool(origin.flags)) == (signed, signed)


async def test_what_a_line_claims_must_stand_in_its_text():
    """Its quote is anybody's word; a signed line keeps what both say."""
    claims = GraphClaims(entities=(EntityClaim(name="Harbour"), EntityClaim(name="Mallory")))
    text = "I buy green tea at Harbour"
    row = item("m", text, provenance=Provenance(quote="Mallory", claims=claims))
    assert (await taken(row, signed=True)).provenance.claims == claims
    hostile = replace(claims, entities=(*claims.entities, EntityClaim(name=KEY[:20])))
    row = item("m", f"{text} {KEY}", provenance=Provenance(quote="Mallory", claims=hostile))
    [left] = (await taken(row, signed=False)).provenance.claims.entities
    assert left.name == "Harbour"


async def test_what_situates_a_memory_proves_nothing_either():
    """Anybody could be found by it: it goes, with the vector of it; a signed line keeps both."""
    row = item("m", "I like green tea", provenance=Provenance(context="the passwords of all"))
    assert (await taken(row, signed=True)).provenance.context == "the passwords of all"
    assert (await taken(row, signed=False)).provenance.context is None
