"""What every conversation store must do."""

from __future__ import annotations

import uuid
from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given, settings

from recollect.memory.model.types import PrecedingQuestion, Recent, Scope, ToolStep
from tests.memory.state.contracts.conversation_model import ConversationModel, steps
from tests.memory.state.contracts.told import ToldContract
from tests.memory.state.samples import ALICE, ALICE_WORK, ANY_BACKEND, BOB, OTHER_ALICE, turn
from tests.support.budget import examples


class ConversationContract(ToldContract):
    """Subclasses provide the fixture `conversations`."""

    async def test_every_field_of_a_turn_comes_back(self, conversations):
        """Texts of any size and kind, steps, memories, pictures, tokens, the whole scope."""
        odd = "it's \"quoted\" \x00 \U0001f600 \r\n'; DROP TABLE turns; --"
        given = turn(
            "a",
            scope=Scope(tenant="local", user_id="alice", agent_id="a", run_id="r"),
            steps=(ToolStep("search", '{"q": "ü"}', "found"), ToolStep("add", "{}", "")),
            recalled=("m1", "m2"),
            asked=("m2",),
            images=("https://example.com/a.png", "data:image/png;base64,AAAA"),
            tokens=42,
            before=PrecedingQuestion(turn_ids=("c1/x", "y"), asked="Où\n1. ü ?", plays=True),
            upstream="http://127.0.0.1:11434/v1",
        )
        for name, said, answer in (
            ("c1", odd, odd),
            ("c2", "word " * 100_000, "answer " * 100_000),
        ):
            told = replace(given, id=f"{name}/a", conversation_id=name)
            told = replace(told, user_text=said, assistant_text=answer)
            await conversations.record(told)
            assert await conversations.unlearned(name, 9) == [replace(told, seq=1)]
        alone = replace(turn("b", upstream="https://api.example.com/v1"), conversation_id="c3")
        await conversations.record(alone)
        assert await conversations.unlearned("c3", 9) == [replace(alone, seq=1)]

    async def test_a_turn_told_again_replaces_what_the_answer_brought(self, conversations):
        """The latest answer's text, model, steps, recalled memories and tokens are kept."""
        await conversations.record(
            turn("a", steps=(ToolStep("t", "{}", "old"),), recalled=("m1",), tokens=5)
        )
        later = replace(
            turn("a", steps=(ToolStep("t", "{}", "new"),), recalled=("m2", "m3"), tokens=7),
            assistant_text="better",
            model="n",
        )
        await conversations.record(later)
        assert await conversations.unlearned("c1", 9) == [replace(later, seq=1)]
        await conversations.record(turn("a"))
        [kept] = await conversations.unlearned("c1", 9)
        assert (kept.steps, kept.recalled, kept.tokens) == ((), (), 0)

    async def test_erasing_a_scope_takes_what_it_admits(self, conversations):
        """A narrow one first; a user's turns with every agent, nobody else's, each counted once."""
        await conversations.record(turn("a", "mine"))
        await conversations.record(turn("b", "mine"))
        await conversations.record(turn("a", "work", scope=ALICE_WORK))
        await conversations.record(turn("a", "bobs", scope=BOB))
        await conversations.record(turn("a", "others", scope=OTHER_ALICE))
        await conversations.mark_learned("mine", 1)
        assert await conversations.erase(ALICE_WORK) == 1
        assert len(await conversations.pending(idle_since=None, scope=ALICE)) == 1
        assert await conversations.erase(ALICE) == 2
        assert await conversations.erase(ALICE) == 0
        left = await conversations.pending(idle_since=None, scope=None)
        assert {t.conversation_id for t in left} == {"bobs", "others"}
        assert await conversations.unlearned("mine", 9) == []
        assert await conversations.unlearned("work", 9) == []

    async def test_turns_are_found_by_how_their_ids_begin(self, conversations):
        """Or their conversations'; newest first; nobody else's, none erased, no sign for others."""
        for minute, (name, place, scope) in enumerate(
            [("a", "c-one", ALICE), ("b", "c-one", ALICE), ("c", "c-two", ALICE),
             ("d", "c-one", BOB), ("e", "c-one", ALICE)]
        ):  # fmt: skip
            said = turn(name, conversation=place, scope=scope, minutes=minute)
            await conversations.record(said)
        await conversations.erase_turns(ALICE.tenant, ["c-one/e"])
        found = await conversations.begun_with(ALICE, "c-o")
        assert [one.id for one in found] == ["c-one/b", "c-one/a"]
        assert [one.id for one in await conversations.begun_with(ALICE, "c-one/a")] == ["c-one/a"]
        assert await conversations.begun_with(ALICE, "c_o") == []
        assert await conversations.begun_with(ALICE, "%") == []

    async def test_an_erased_turn_cannot_come_back(self, conversations):
        """A client resends what was forgotten: same position, nothing pending, no text kept."""
        secret = turn("a", tokens=9, steps=(ToolStep("t", "{}", "r"),), recalled=("m",))
        assert not (await conversations.record(secret)).erased
        assert not (await conversations.record(secret)).erased
        await conversations.erase(ALICE)
        again = await conversations.record(secret)
        assert again.erased
        assert (again.seq, again.pending, again.pending_tokens) == (1, 0, 0)
        assert await conversations.unlearned("c1", 9) == []
        assert await conversations.erase(ALICE) == 0
        after = await conversations.record(turn("b", tokens=2))
        assert (after.seq, after.pending, after.pending_tokens) == (2, 1, 2)
        assert [t.user_text for t in await conversations.unlearned("c1", 9)] == ["user b"]

    async def test_erasing_a_turn_erases_what_others_repeat_of_it(self, conversations):
        """A later turn loses what it says of the erased one, and its note; the others nothing."""
        told = {"a": (), "b": ("c1/a",), "c": ("c1/a", "c1/b"), "d": ("c1/c",)}
        notes = []
        for name, ids in told.items():
            before = PrecedingQuestion(ids, "What?") if ids else None
            notes.append((Recent(turn(name, before=before)), f"note {name}"))
            await conversations.record(notes[-1][0].turn)
        await conversations.annotate(notes)
        assert await conversations.erase_turns("other", ["c1/a"]) == 0
        assert await conversations.erase_turns("local", ["c1/a"]) == 1
        await conversations.annotate(notes)  # by who read them before
        left = {each.turn.id: each for each in await conversations.recent(ALICE, limit=9)}
        assert {name: each.turn.before is None for name, each in left.items()} == {
            "c1/b": True, "c1/c": True, "c1/d": False,
        }  # fmt: skip
        assert {name: each.note for name, each in left.items()} == {
            "c1/b": None, "c1/c": None, "c1/d": "note d",
        }  # fmt: skip
        assert left["c1/b"].turn.user_text == "user b"

    async def test_erasing_an_answer_erases_what_others_repeat_of_it(self, conversations):
        """The next turn loses the question in it; what its user said stays, as all of others."""
        before = PrecedingQuestion(("c1/a",), "Do you row with Quendrosk?")
        later = PrecedingQuestion(("c1/b",), "When?")
        told = [turn("a"), turn("b", before=before), turn("c", before=later)]
        for each in told:
            await conversations.record(each)
        await conversations.annotate([(Recent(each), "note") for each in told])
        await conversations.erase_answers("other", ["c1/a"])
        assert (await conversations.recent(ALICE, limit=9))[1].turn.before == before
        await conversations.erase_answers("local", ["c1/a"])
        c, b, a = await conversations.recent(ALICE, limit=9)
        assert (a.turn.assistant_text, a.turn.user_text, a.note) == ("", "user a", "note")
        assert (b.turn.before, b.turn.user_text, b.note) == (None, "user b", None)
        assert (c.turn.before, c.note) == (later, "note")

    async def test_recent_turns_are_read_some_at_a_time(self, conversations):
        """Also those of one moment, and those up to a time; erased ones stay out."""
        for number in range(9):
            await conversations.record(turn(f"{number}", minutes=number // 4))
        await conversations.erase_turns("local", ["c1/5"])
        whole = [each.turn.id for each in await conversations.recent(ALICE, limit=99)]
        assert whole == [f"c1/{number}" for number in (8, 7, 6, 4, 3, 2, 1, 0)]
        read: list[str] = []
        while some := await conversations.recent(ALICE, limit=3, after=read[-1] if read else ""):
            read += [each.turn.id for each in some]
        assert read == whole
        until = turn("").created_at
        early = await conversations.notes(ALICE, lambda note: note, until=until)
        assert early == [(name, None) for name in whole[-4:]]
        [last] = await conversations.recent(ALICE, limit=9, until=until, after="c1/1")
        assert last.turn.id == "c1/0"

    async def test_a_later_turn_does_not_bring_back_what_was_erased(self, conversations):
        """What its client still sends of an erased turn is left out, and that is told."""
        for name in "ab":
            await conversations.record(turn(name))
        await conversations.erase_turns("local", ["c1/a"])
        told = {"c": ("c1/a", "c1/b"), "d": ("c1/b", "c1/unknown")}
        alone = {}
        for name, ids in told.items():
            before = PrecedingQuestion(ids, "What?")
            recorded = await conversations.record(turn(name, before=before))
            again = await conversations.record(turn(name, before=before))
            assert recorded.alone == again.alone
            alone[name] = recorded.alone
        assert alone == {"c": True, "d": False}
        left = {each.turn.id: each.turn for each in await conversations.recent(ALICE, limit=9)}
        assert left["c1/c"].before is None
        assert left["c1/d"].before is not None
        assert not (await conversations.record(turn("e"))).alone

    @settings(ANY_BACKEND, max_examples=examples(25))
    @given(plan=st.lists(steps, max_size=25))
    async def test_any_sequence_is_counted_right(self, conversations, plan):
        """Whatever order turns come, are learned, erased and pruned in: counts are exact."""
        model = ConversationModel(f"t-{uuid.uuid4().hex}")
        for step in plan:
            await model.take(step, conversations)
            await model.compare(conversations)
