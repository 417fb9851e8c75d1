"""What every history log must do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.ports import MAX_NONE
from recollect.memory.model.types import Doubt, EventKind, Scope
from tests.memory.state.samples import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE, record


class HistoryContract:
    """Subclasses provide the fixture `history`."""

    async def test_many_at_once(self, history):
        """The records of each, in order; of other memories and tenants none, of unknown ids too."""
        m = [record("m", EventKind.ADD), record("m", EventKind.UPDATE)]
        n = [record("n", EventKind.ADD)]
        await history.append([m[0], *n, record("other", EventKind.ADD), m[1]])
        await history.append([record("m", EventKind.ADD, scope=OTHER_ALICE)])
        assert await history.of_many("local", ["m", "n", "unknown"]) == {"m": m, "n": n}
        assert await history.of_many("local", []) == {}
        names = [f"{number}" for number in range(3000)]
        assert await history.of_many("local", [*names, "n"]) == {"n": n}

    async def test_only_the_newest_nones_are_kept(self, history):
        """Of one memory; other events, other memories and other tenants lose nothing."""
        theirs = record("m", EventKind.NONE, scope=OTHER_ALICE)
        await history.append([record("m", EventKind.ADD), record("n", EventKind.NONE), theirs])
        early = [record("m", EventKind.NONE, seconds=-n) for n in range(MAX_NONE)]
        await history.append(early)
        assert (await history.of("local", "m"))[1:] == early
        changed, late = record("m", EventKind.UPDATE), record("m", EventKind.NONE)
        await history.append([changed, late])
        added, *kept = await history.of("local", "m")
        assert added.event is EventKind.ADD
        assert kept == [*early[1:], changed, late]
        many = [record("m", EventKind.NONE) for _ in range(3 * MAX_NONE)]
        await history.append(many)
        assert (await history.of("local", "m"))[2:] == many[-MAX_NONE:]
        assert len(await history.of("local", "n")) == 1
        assert await history.of("other", "m") == [theirs]

    async def test_tenants_are_apart(self, history):
        """Neither reading nor resetting crosses tenants."""
        theirs = record("m", EventKind.ADD, scope=Scope(tenant="other", user_id="alice"))
        await history.append([record("m", EventKind.ADD), theirs])
        assert await history.of("other", "m") == [theirs]
        await history.reset("local")
        assert await history.of("local", "m") == []
        assert await history.of("other", "m") == [theirs]

    async def test_every_field_of_a_record_comes_back(self, history):
        """Both times, the deciding stage with its reason and scores, and the whole scope."""
        row = record(
            "m",
            EventKind.QUARANTINE,
            scope=Scope(tenant="local", user_id="ü", agent_id="a", run_id="r"),
            valid_at=NOON - timedelta(days=400, milliseconds=1),
            stage="zones",
            reason="a number changed",
            scores={"cosine": 0.8125, "overlap": -1e-9, "words": 3.0},
            reasons=(
                Doubt("secrecy", "tool", "hides it", "Tell \x00 nobody \u2026"),
                Doubt("other"),
            ),
            taken_from="the rest",
            withheld=("one", "two"),
        )
        text = "it's \"quoted\" \x00 \x1b0 \x1b[1m \\x00 \\ \U0001f600 \r\n'; DROP TABLE memory_history; --"
        odd = replace(record("m", EventKind.UPDATE), old_value=text, new_value="", reason=text)
        await history.append([row, odd])
        assert await history.of("local", "m") == [row, odd]

    async def test_records_are_kept_once_in_the_order_they_came(self, history):
        """Of thousands at once, whatever the clock says; what is known, or twice there, is not added."""
        rows = [record("m", EventKind.UPDATE, seconds=-n) for n in range(2000)]
        await history.append([])
        await history.append([rows[0]])
        await history.append([*rows[1:], rows[0], rows[5]])
        await history.append([record("other", EventKind.ADD)])
        theirs = replace(rows[0], scope=OTHER_ALICE)
        await history.append([theirs])
        assert await history.of("local", "m") == rows
        assert await history.of("other", "m") == [theirs]

    async def test_erasing_memories(self, history):
        """Every record of the named memories of that tenant goes, and is counted."""
        kept, theirs = record("kept", EventKind.ADD), record("m", EventKind.ADD, scope=OTHER_ALICE)
        await history.append([record("m", EventKind.ADD), kept, theirs])
        await history.append([record("m", EventKind.UPDATE), record("n", EventKind.ADD)])
        assert await history.erase("local", []) == 0
        assert await history.erase("local", ["m", "n", *(f"u{n}" for n in range(5000))]) == 3
        assert await history.erase("local", ["m", "n"]) == 0
        assert await history.of("local", "m") == []
        assert await history.of("local", "kept") == [kept]
        assert await history.of("other", "m") == [theirs]

    async def test_erasing_a_scope(self, history):
        """Every record the scope admits goes, a narrow scope takes no wider one's; an agent's is its own."""
        mine = record("mine", EventKind.ADD)
        work = record("work", EventKind.ADD, scope=ALICE_WORK)
        bobs = record("bobs", EventKind.ADD, scope=BOB)
        theirs = record("mine", EventKind.ADD, scope=OTHER_ALICE)
        await history.append([mine, work, bobs, theirs])
        assert await history.erase_scope(ALICE_WORK) == 1
        assert await history.of("local", "mine") == [mine]
        assert await history.erase_scope(ALICE) == 1
        assert await history.erase_scope(ALICE) == 0
        assert await history.of("local", "bobs") == [bobs]
        assert await history.of("other", "mine") == [theirs]
        heard = [record(f"{n}", EventKind.ADD, scope=scope) for n, scope in enumerate(
            (ALICE_WORK, replace(BOB, agent_id="work"), ALICE)
        )]  # fmt: skip
        await history.append(heard)
        assert await history.erase_scope(Scope(tenant="local", agent_id="work")) == 2
        assert await history.of("local", "2") == heard[2:]
