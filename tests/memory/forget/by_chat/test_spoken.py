"""Forgetting by saying so: proposed at first, erased when it is agreed to."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from recollect import AsyncMemory
from recollect.memory.embedders import open_embedder
from recollect.memory.embedders.local.options import LocalEmbedderOptions
from recollect.memory.forget import ForgettingByChat, SpokenMessage, Step, asked_in
from recollect.memory.forget.by_chat.intent import Certainty, judge
from recollect.memory.forget.by_chat.linear_heads import LinearHeads
from recollect.memory.forget.by_chat.messages import without
from recollect.memory.language.message.forgetting import Scale, wish_in
from recollect.memory.model.errors import EmbeddingError, StoreError
from recollect.memory.model.types import Scope
from tests.support.budget import FACTOR, WHOLE
from tests.support.parts import engine_of

ALICE = Scope(tenant="local", user_id="alice")
REQUEST = "Please forget that I work at Alstom."
ASKED = "You work at Alstom. Shall I forget it?"
FACTS = ("I work at Alstom as a manager", "My sister Anna likes tea", "I drive an old Volvo")


class Talk:
    """An engine with some memories, and a clock."""

    def __init__(self):
        self.now = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
        self.engine = engine_of()
        self.memory = AsyncMemory(self.engine, tenant="local")
        self.spoken = ForgettingByChat(
            self.engine.parts,
            self.engine.forgetter,
            has_nothing=self.engine.recaller.has_nothing,
            clock=lambda: self.now,
            wait=5.0,
        )

    async def told(self, *facts, user="alice"):
        for fact in facts:
            await self.memory.add(fact, user_id=user, infer=False)

    async def known(self, user="alice"):
        found = await self.memory.get_all(user_id=user)
        return sorted(one["memory"] for one in found["results"])

    async def say(self, text, number=1, scope=ALICE, conversation="c", **fields):
        """The message of a turn, right behind the turn before."""
        message = SpokenMessage(scope, text, conversation, f"t{number}", f"t{number - 1}")
        return await self.spoken.hear(replace(message, **fields))

    async def agree(self, text="yes, forget it", number=2, **fields):
        return await self.say(text, number, request=REQUEST, answer=ASKED, **fields)


@pytest.fixture
async def talk():
    talk = Talk()
    await talk.told(*FACTS)
    yield talk
    await talk.spoken.close()
    await talk.engine.close()


async def test_the_first_message_proposes(talk):
    """What matches is told, and nothing is erased."""
    heard = await talk.say(REQUEST)
    assert heard.step is Step.PROPOSED
    assert [item.text for item in heard.items] == [FACTS[0]]
    assert heard.rest == ""
    assert await talk.known() == sorted(FACTS)


async def test_the_second_message_erases(talk):
    """Exactly what was proposed, with a receipt that the history has."""
    await talk.say(REQUEST)
    heard = await talk.agree()
    assert heard.step is Step.ERASED
    assert await talk.known() == sorted(FACTS[1:])
    assert heard.receipt is not None
    assert heard.receipt.memories == 1
    [record] = await talk.engine.parts.history.of("local", heard.receipt.id)
    assert (record.stage, record.old_value, record.scores["memories"]) == ("forget", None, 1.0)
    assert len(await talk.memory.history(heard.receipt.id)) == 1
    assert (await talk.agree()).step is Step.LATE


async def test_everything_of_the_user_and_of_nobody_else(talk):
    """Also what an agent of theirs knows; after an agreement only."""
    await talk.told("I like tea", user="bob")
    await talk.memory.add("I like cats", user_id="alice", agent_id="vet", infer=False)
    everything = "Delete everything you know about me."
    heard = await talk.say(everything)
    assert (heard.step, heard.everything, heard.count) == (Step.PROPOSED, True, 4)
    assert 0 < len(heard.items) <= 5
    answer = "Shall I delete everything?"
    heard = await talk.say("yes", 2, request=everything, answer=answer)
    assert (heard.step, heard.everything, heard.again) == (Step.UNSURE, True, True)
    assert len(await talk.known()) == 4
    heard = await talk.say("yes", 3, request="yes", answer=answer)
    assert heard.step is Step.ERASED
    assert (await talk.known(), await talk.known("bob")) == ([], ["I like tea"])


async def test_everything_goes_at_once_if_the_answer_says_everything(talk):
    """That is the second sentence which says so; one that names less proposes less."""
    request = "Delete everything you know about me."
    fields = {"request": request, "answer": "Shall I delete everything?"}
    await talk.say(request)
    heard = await talk.say("yes, but keep my sister Anna", 2, **fields)
    assert (heard.step, heard.everything) == (Step.PROPOSED, False)
    assert sorted(item.text for item in heard.items) == sorted([FACTS[0], FACTS[2]])
    assert await talk.known() == sorted(FACTS)
    await talk.say(request, 3)
    assert (await talk.say("yes, everything", 4, **fields)).step is Step.ERASED
    assert await talk.known() == []


@pytest.mark.parametrize(
    ("request_", "proposed"),
    [
        ("Please forget everything about my sister Anna.", [FACTS[1]]),
        ("Forget everything except my sister Anna.", [FACTS[0], FACTS[2]]),
        ("Forget everything about my boss Karen.", None),
    ],
)
async def test_everything_about_somebody_is_only_that(talk, request_, proposed):
    """An object names what goes, and an exception what stays."""
    heard = await talk.say(request_)
    shown = heard and sorted(item.text for item in heard.items)
    assert (shown, bool(heard and heard.everything)) == (proposed and sorted(proposed), False)


async def test_what_is_to_stay_must_be_known(talk):
    """Else nothing is proposed."""
    heard = await talk.say("Forget everything except my zebra.")
    assert (heard.step, heard.items) == (Step.UNCLEAR, ())


async def test_a_narrower_yes_narrows(talk):
    """It erases what it names; what it excepts it is asked about again."""
    await talk.told("Anna owes me money")
    await talk.told("Anna owes me more", user="bob")
    about, asked = "Forget what I said about Anna.", "Shall I forget that?"
    heard = await talk.say(about)
    assert len(heard.items) == 2
    heard = await talk.say("yes but keep the tea", 2, request=about, answer=asked)
    assert [item.text for item in heard.items] == ["Anna owes me money"]
    assert len(await talk.known()) == 4
    await talk.say(about, 3)
    heard = await talk.say("yes, just the money", 4, request=about, answer=asked)
    assert heard.step is Step.ERASED
    assert await talk.known() == sorted(FACTS)


@pytest.mark.parametrize("text", ["no", "What's the weather?", "wait", "I like trains"])
async def test_what_does_not_agree_erases_nothing(talk, text):
    """And the proposal is over with the next message."""
    await talk.say(REQUEST)
    assert await talk.agree(text) is None
    assert (await talk.agree(number=3)).step is Step.LATE
    assert await talk.known() == sorted(FACTS)


async def test_a_yes_to_another_question_is_asked_again(talk):
    """The proposal waits for one more answer."""
    await talk.say(REQUEST)
    other = "Noted. Shall I write the letter?"
    heard = await talk.say("yes", 2, request=REQUEST, answer=other)
    assert heard.step is Step.UNSURE
    assert await talk.known() == sorted(FACTS)
    assert (await talk.agree(number=3)).step is Step.ERASED


async def test_too_late_is_too_late(talk):
    """After its time a proposal cannot be agreed to."""
    await talk.say(REQUEST)
    talk.now += timedelta(minutes=16)
    assert (await talk.agree()).step is Step.LATE
    assert await talk.known() == sorted(FACTS)


async def test_what_changed_since_is_not_erased(talk):
    """The text that was shown is the one that is erased."""
    heard = await talk.say(REQUEST)
    await talk.memory.update(heard.items[0].id, "I work at Siemens")
    assert (await talk.agree()).step is Step.LATE
    assert "I work at Siemens" in await talk.known()


async def test_two_conversations_propose(talk):
    """Agreeing in one erases its own, and another user's answer nothing."""
    await talk.say(REQUEST, conversation="phone")
    await talk.say("Forget that I drive a Volvo.", conversation="laptop")
    bob = Scope(tenant="local", user_id="bob")
    assert (await talk.agree(conversation="elsewhere")).step is Step.LATE
    await talk.agree(scope=bob, conversation="tablet")
    assert (await talk.agree(conversation="phone")).step is Step.ERASED
    assert await talk.known() == sorted(FACTS[1:])


async def test_what_matches_nothing(talk):
    """A plain message goes on as any other; who wants all erased is told so."""
    assert await talk.say("Forget that I own a boat in Greece.") is None
    assert await talk.say("Forget it, let's talk about lunch.") is None


async def test_only_own_words_count(talk):
    """Not what is quoted, pasted, code, or a tool's."""
    for text in (
        f'Translate: "{REQUEST}"',
        f"> {REQUEST}",
        f"```\n{REQUEST}\n```",
        f"From: Ann\nSubject: hi\n\n{REQUEST}",
        f'{{"tool_result": "{REQUEST}"}}',
        "x " * 300 + REQUEST,
    ):
        assert asked_in(text) == []
        assert await talk.say(text) is None


async def test_the_rest_of_a_message_is_kept(talk):
    """What stands beside the request is a message like any other."""
    heard = await talk.say(f"My cat is called Minka. {REQUEST}")
    assert heard.rest == "My cat is called Minka."
    assert without(REQUEST, asked_in(REQUEST)) == ""


async def test_without_an_embedder_it_is_a_message_like_any_other(talk, monkeypatch):
    """Nothing is proposed, and nothing fails."""

    async def down(_texts):
        raise EmbeddingError("down")

    for name in ("embed", "embed_queries"):
        monkeypatch.setattr(talk.engine.parts.embedder, name, down, raising=False)
    assert await talk.say(REQUEST) is None


async def test_a_failure_can_be_answered_again(talk, monkeypatch):
    """The proposal waits for the same answer."""
    await talk.say(REQUEST)
    forgetter = talk.engine.forgetter
    whole = forgetter.forget_ids

    async def down(*_args, **_fields):
        raise StoreError("down")

    monkeypatch.setattr(forgetter, "forget_ids", down)
    assert (await talk.agree()).step is Step.FAILED
    monkeypatch.setattr(forgetter, "forget_ids", whole)
    assert (await talk.agree(number=3)).step is Step.ERASED


async def test_a_slow_erasure_goes_on(talk, monkeypatch):
    """A request does not wait for it, and its end does not cut it off."""
    talk.spoken._wait = 0.01
    await talk.say(REQUEST)
    whole, goes_on = talk.engine.forgetter.forget_ids, asyncio.Event()

    async def slow(*args, **fields):
        await goes_on.wait()
        return await whole(*args, **fields)

    monkeypatch.setattr(talk.engine.forgetter, "forget_ids", slow)
    assert (await talk.agree()).step is Step.BEGUN
    goes_on.set()
    await talk.spoken.close()
    assert await talk.known() == sorted(FACTS[1:])


REQUESTS = [
    ("Vergiss bitte, dass ich bei Siemens arbeite.", Certainty.SURE, Scale.SOME),
    ("scrap whatever you have on my ex", Certainty.SURE, Scale.SOME),
    ("fai sparire quello che ti ho detto del capo", Certainty.SURE, Scale.SOME),
    ("Borra todo lo que sabes de mí.", Certainty.SURE, Scale.EVERYTHING),
    ("Удали всё, что ты обо мне знаешь.", Certainty.SURE, Scale.EVERYTHING),
    ("wipe everything you've got on me", Certainty.SURE, Scale.EVERYTHING),
    ("Please forget everything about my boss Karen.", Certainty.SURE, Scale.SOME),
    ("Vergiss alles außer meinem Namen.", Certainty.SURE, Scale.SOME),
    ("Tout oublier sur mon frère, s'il te plaît.", Certainty.SURE, Scale.SOME),
    ("How do I delete my Facebook account?", Certainty.NO, None),
    ("Comment oublier mon ex ?", Certainty.NO, None),
    ("删除列表的第三行。", Certainty.NO, None),
    ("My ex called again.", Certainty.NO, None),
    ("scrap the second paragraph of the letter", Certainty.NO, None),
    ("delete all resolved comments in the document", Certainty.NO, None),
    ("Setz den Branch auf main zurück.", Certainty.NO, None),
]


async def test_meaning_tells_requests_from_tasks(models_dir):
    """Across languages, whether or not a word for forgetting is in it."""
    wrong = []
    for model in ("pair", "use")[: 1 + (FACTOR >= WHOLE)]:
        options = LocalEmbedderOptions(model=model, model_dir=models_dir)
        embedder = await open_embedder(options)
        vectors = await embedder.embed([text for text, *_ in REQUESTS])
        for (text, certainty, scale), vector in zip(REQUESTS, vectors, strict=True):
            sure, size = judge(LinearHeads.of(embedder.id), wish_in(text), vector)
            if sure is not certainty or scale not in (None, size):
                wrong.append((model, text, sure, size))
        await embedder.close()
    assert not wrong


@pytest.mark.parametrize("granted", [True, False])
async def test_nothing_is_erased_before_it_is_known_who_agreed(talk, granted):
    """Who turns out to be nobody has erased nothing, and what was proposed waits for the user."""
    await talk.say(REQUEST)
    asked = asyncio.get_running_loop().create_future()
    heard = await talk.agree(granted=asked)
    await asyncio.sleep(0.05)
    assert (heard.step, await talk.known()) == (Step.BEGUN, sorted(FACTS))
    asked.set_result(granted)
    await talk.spoken.close()
    assert await talk.known() == sorted(FACTS[1:] if granted else FACTS)
    if not granted:
        again = await talk.agree()
        assert (again.step, await talk.known()) == (Step.ERASED, sorted(FACTS[1:]))


async def test_a_new_user_costs_no_embedding(talk, monkeypatch):
    """What asks for nothing by its words is embedded only where there is something to forget."""
    embedded = []

    async def embed(_embedder, texts):
        embedded.extend(texts)
        return [None] * len(texts)

    monkeypatch.setattr(f"{ForgettingByChat.__module__}.embed_queries", embed)
    monkeypatch.setattr(f"{ForgettingByChat.__module__}.may_ask", lambda *_: False)
    monkeypatch.setattr(talk.spoken, "_heads", object())
    bob = Scope(tenant="local", user_id="bob")
    message, asked = "That about my job at Alstom is wrong and not yours to keep.", []
    for facts in ((), FACTS):
        await talk.told(*facts, user="bob")
        await talk.engine.recaller.recall(bob, "warm-up")
        assert await talk.say(message, scope=bob) is None
        asked.append(len(embedded))
    assert asked == [0, 1]
