"""What is told is known later: the shared product, the real `openai` client, scripted models.

Assertions are on what the upstream received, not on anything the product says of itself.
"""

from __future__ import annotations

from tests.e2e.asking import (
    ASKED,
    FACT,
    TOLD,
    api,
    eventually,
    flush,
    heard,
    memories,
    messages_of,
    remember,
    say,
)
from tests.support.fence import parted
from tests.support.gateway import IDLE_SECONDS, KEY_OF_THE_ENVIRONMENT, Gateway, Tenant
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import until


def shown(model: ScriptedModel) -> str:
    """The block inside the user's message in the last request that reached the model."""
    return parted(messages_of(model.requests[-1])[-1][1])[0]


async def test_every_n_turns_without_being_asked(tenant: Tenant, extractor: ScriptedModel) -> None:
    """The second turn of a conversation starts the learning; retries do not count."""
    extractor.replies = [facts(FACT)]
    for _ in range(3):
        answer, _ = await say(tenant, TOLD, user="alice")
    assert extractor.requests == []
    await say(tenant, TOLD, answer, "It also has a shed.", user="alice")
    assert await eventually(tenant, "alice") == [FACT]
    await flush(tenant, user_id="alice")
    # What extracts, and what verifies.
    assert len(extractor.requests) == 2


async def test_silence_ends_a_conversation(
    gateway: Gateway, tenant: Tenant, extractor: ScriptedModel
) -> None:
    """What is left of a conversation is learned once it was silent for long enough, unasked."""
    extractor.replies = [facts(FACT)]
    told = f"{TOLD} Nobody else says so."
    await say(tenant, told, user="alice")
    await until(lambda: gateway.age(told, IDLE_SECONDS / 2), "the turn")
    assert extractor.requests == []
    gateway.age(told, IDLE_SECONDS)
    assert await eventually(tenant, "alice") == [FACT]


async def test_nothing_of_ours_is_learned_again(tenant: Tenant, extractor: ScriptedModel) -> None:
    """Neither a system message nor an injected memory is ever shown to the extractor."""
    extractor.replies = [facts(FACT), facts()]
    await say(tenant, TOLD, user="alice")
    await flush(tenant, user_id="alice")
    system = [{"role": "system", "content": "SYSTEM-SECRET be brief"}]
    _, headers = await say(tenant, ASKED, user="alice", before=system)
    assert headers["x-recollect-memory"] == "injected"
    await flush(tenant, user_id="alice")
    # The first turn is extracted and verified; the second one has no facts to verify.
    assert len(extractor.requests) == 3
    assert "SYSTEM-SECRET" not in extractor.said()
    assert FACT not in str(extractor.requests[2]["messages"][1:])


async def test_said_and_known_in_the_next_conversation(
    tenant: Tenant, model: ScriptedModel
) -> None:
    """No flush, no waiting, no extraction; nobody else is told."""
    await say(tenant, TOLD, user="alice")
    _, headers = await say(tenant, ASKED, user="alice")
    assert headers["x-recollect-memory"] == "injected"
    assert "User said: " in shown(model)
    assert "4711" in shown(model)
    _, headers = await say(tenant, ASKED, user="bob")
    assert headers["x-recollect-memory"] == "empty"


async def test_the_person_is_known(tenant: Tenant, model: ScriptedModel) -> None:
    """An allergy comes up for a recipe, and all of it for who asks; not for knowledge."""
    await say(tenant, "I'm allergic to peanuts.", user="alice")
    await heard(tenant, "alice")
    for asked, comes in (
        ("Give me a dinner recipe", True),
        ("What do you know about me?", True),
        ("Why is the sky blue?", False),
    ):
        await say(tenant, asked, user="alice")
        assert ("peanuts" in shown(model)) is comes, asked
    [line] = (await api(tenant, "GET", "/profile", user_id="alice"))["results"]
    assert "allergy" in line["traits"]


async def test_a_model_that_cannot_extract_harms_nothing(
    tenant: Tenant, model: ScriptedModel
) -> None:
    """What was said stays without a model that can learn, and can be deleted by its id."""
    model.replies = ["I am happy to help with that."]
    tenant.served_by(model)
    await say(tenant, TOLD, user="alice")
    await flush(tenant, user_id="alice")
    assert await memories(tenant, "alice") == []
    [one] = await heard(tenant, "alice")
    await api(tenant, "DELETE", f"/{one['id']}", user_id="alice")
    await say(tenant, ASKED, user="alice")
    assert "4711" not in str(model.requests[-1])


WISH = "User always wants temperatures given in Celsius"
HEARD = "The temperature in the greenhouse is usually 24 degrees Celsius"
UNIT = "In which unit do I want temperatures, and what is it in the greenhouse?"


async def test_a_wish_arrives_as_one_and_hearsay_is_marked(
    tenant: Tenant, model: ScriptedModel, extractor: ScriptedModel
) -> None:
    """One message with the notice, the user's wish bare, a claim marked; no echo is learned."""
    from recollect.memory.learn import HEARSAY, PREAMBLE

    await remember(tenant, WISH, "alice")
    await remember(tenant, HEARD, "alice", role="assistant")
    _, headers = await say(tenant, UNIT, user="alice")
    assert headers["x-recollect-memory"] == "injected"
    [(role, text)] = messages_of(model.requests[-1])
    block, asked = parted(text)
    assert (role, asked) == ("user", UNIT)
    lines = block.split("\n")
    assert lines[1] == PREAMBLE
    told = [line.split(" ", 2)[-1] for line in lines]
    assert {WISH, f"{HEARSAY} {HEARD}"} <= set(told)

    await say(tenant, f"{block}\nThanks, I am back from Bergen now.", user="alice")
    await flush(tenant, user_id="alice")
    assert sorted(await memories(tenant, "alice")) == sorted([WISH, HEARD])
    assert "back from Bergen" in extractor.said()
    assert HEARSAY not in extractor.said()
    assert "Recalled notes" not in extractor.said()


async def test_learned_wishes_are_brought_up_as_said_ones(
    tenant: Tenant, model: ScriptedModel, extractor: ScriptedModel
) -> None:
    """Whatever type the model gives them, in a later chat about something else."""
    said = "From now on always answer in British spelling"
    celsius, coach = "User wants temperatures in Celsius", "User wants to be called Coach"
    for text, kind in ((celsius, "procedural"), (coach, "semantic")):
        extractor.replies = [facts(text, kind=kind)]
        await say(tenant, f"Hello, here I {' '.join(text.split()[1:])}.", user="alice")
        await flush(tenant, user_id="alice")
    assert sorted(await memories(tenant, "alice")) == sorted([celsius, coach])
    extractor.replies = [facts()]
    await say(tenant, said, user="alice")
    for asked in ("What is the capital of Peru?", "Which plants would suit my balcony?"):

        async def brought_up(asked: str = asked) -> bool:
            await say(tenant, asked, user="alice")
            lines = shown(model).split("\n")
            assert {celsius, coach} <= {line.split(" ", 2)[-1] for line in lines}
            return any(line.endswith(said) for line in lines)

        await until(brought_up, "what was said is embedded")


REQUEST = "Please forget that I work at Alstom."
PROPOSED = 'I found: you work at Alstom. Shall I forget it? Answer "yes, forget it".'


async def test_what_does_not_ask_to_forget_or_may_not(tenant: Tenant, model: ScriptedModel) -> None:
    """Read only, pasted text, another answer, another conversation: nothing is erased."""

    async def spoken(*texts: str, **headers: str) -> str:
        return (await say(tenant, *texts, user="alice", **headers))[1]["x-recollect-reason"]

    await spoken("I work at Alstom in Belfort as an accountant.")
    await heard(tenant, "alice")
    assert not (await spoken(REQUEST, **{"x-recollect-memory": "read"})).startswith("forget")
    assert not (await spoken(f"Translate this:\n\n> {REQUEST}")).startswith("forget")
    assert await spoken(REQUEST) == "forget_proposed"
    for answer in ("no", "What's 2+2?"):
        await spoken(REQUEST, PROPOSED, answer)
    await spoken(REQUEST, "Shall I write to them?", "yes")
    await spoken("Hi", "Hello", "yes, forget it")
    await spoken("Where do I work?")
    assert "Alstom" in messages_of(model.requests[-1])[-1][1]


OTHERS = (
    "My bike needs new tyres before winter",
    "I booked two weeks off in August for the boat",
    "Our cat sleeps on the router because it is warm",
    "I met Nino in Yerevan, she sells rugs",
    "My dentist recommended a softer toothbrush",
    "The canteen is shut on Fridays now",
    "I never remember where the spare key is",
)
"""What a user also says: some of it shares words with the questions."""
EXAMPLES = {
    "What did the person I met in Tbilisi recommend?": (
        "In Tbilisi I met Giorgi, who runs a wine bar",
        "Giorgi says to take the sulphur baths early, before eight",
    ),
    "Is my manager available in July?": (
        "Viktor is my manager since spring",
        "Viktor is on leave from the 1st to the 20th of July",
    ),
}
"""Questions that need two facts, joined by a name that they do not have: those of docs/recall.md."""


async def test_both_of_two_facts_reach_the_model(tenant: Tenant, model: ScriptedModel) -> None:
    """At once, in a new conversation, without extraction; and in a deep recall, which guesses nothing."""
    for fact in (*OTHERS, *(fact for pair in EXAMPLES.values() for fact in pair)):
        await say(tenant, fact, user="ada")
    for question, pair in EXAMPLES.items():
        _, headers = await say(tenant, question, user="ada")
        assert headers["x-recollect-memory"] == "injected"
        sent = messages_of(model.requests[-1])[-1][1]
        assert [fact for fact in pair if fact not in sent] == []
        body = {"question": question, "user_id": "ada", "max_iterations": 2}
        found = await api(tenant, "POST", "/deep-recall", body)
        told = " ".join(each["memory"] for each in found["results"])
        assert [fact for fact in pair if fact not in told] == []
    body = {"question": "Which school did the plumber's twins attend?", "user_id": "ada"}
    nothing = await api(tenant, "POST", "/deep-recall", body | {"max_iterations": 2})
    assert (nothing["abstained"], nothing["reason"]) == (True, "not_covered")


async def test_the_proxy_may_be_the_librarys_server(
    tenant: Tenant, model: ScriptedModel, monkeypatch
) -> None:
    """Its prompts pass: they are neither extended nor learned, and the upstream sees no header of ours.

    The same variables lead a program's chats and the library to the proxy.
    """
    from recollect.memory import AsyncMemory

    model.replies = [facts("User likes tea")]
    tenant.served_by(model)
    monkeypatch.setenv("OPENAI_BASE_URL", tenant.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", tenant.key)
    async with await AsyncMemory.open({"embedder": {"backend": "fake"}}) as memory:
        for _ in range(2):
            added = await memory.add("I like tea", user_id="default")
        assert [event["event"] for event in added["results"]] == ["NONE"]
    asked = len(model.requests)
    assert (await flush(tenant, user_id="default"))["jobs"] == {}
    assert len(model.requests) == asked
    assert await memories(tenant, "default") == []
    assert {each["authorization"] for each in model.headers} == {f"Bearer {tenant.key}"}
    assert "x-recollect" not in str(model.headers)


async def test_the_environments_key_goes_nowhere(
    gateway: Gateway, tenant: Tenant, model: ScriptedModel, extractor: ScriptedModel
) -> None:
    """OpenAI's variables are for the library: no chat and no learning uses them."""
    extractor.replies = [facts(FACT)]
    await say(tenant, TOLD, user="alice")
    await flush(tenant, user_id="alice")
    assert gateway.trap.requests == []
    assert extractor.requests
    assert KEY_OF_THE_ENVIRONMENT not in str(extractor.headers + model.headers)
