"""What a policy keeps from a destination, and what is asked before each call of a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory.llms import ask
from recollect.memory.model.errors import WithheldError
from recollect.memory.model.types import ChatReply, ChatRequest, MemoryItem, Message, Provenance
from recollect.memory.recall import Withholding
from recollect.memory.trust.policy import PolicyRule
from recollect.memory.util.destinations import Destination
from tests.support.composing import memory

CLOUD = Destination("https://api.openai.com/v1", "gpt-5")
HERE = Destination("http://127.0.0.1:11434/v1", "llama3")


class Memories:
    """Some that are stored."""

    def __init__(self, *items: MemoryItem) -> None:
        self.items = {item.id: item for item in items}

    async def get(self, _tenant: str, ids: Any) -> list[MemoryItem]:
        return [self.items[name] for name in ids if name in self.items]


def keeping(rule: dict[str, Any], *items: MemoryItem) -> Withholding:
    return Withholding([PolicyRule.model_validate({"to": ["cloud"], **rule})], Memories(*items))


def told(text: str, *to: Destination, **origin: Any) -> MemoryItem:
    where = tuple(f"{one.upstream} {one.model}" for one in to)
    return replace(memory(text), provenance=Provenance(told_to=where, **origin))


REQUEST = ChatRequest(messages=[Message(role="user", content="?")])


async def test_a_request_that_does_not_say_what_it_holds_is_not_sent():
    """To a destination that something is kept from; to others, and with nothing in it, it is."""
    keeps = keeping({"send": "validated"})
    with pytest.raises(WithheldError):
        await keeps.check(REQUEST, [CLOUD])
    with pytest.raises(WithheldError):
        await keeps.check(replace(REQUEST, holds=[memory("a")]), [HERE, CLOUD])
    await keeps.check(REQUEST, [HERE])
    await keeps.check(replace(REQUEST, holds=()), [CLOUD])


async def test_a_conclusion_is_kept_back_with_what_it_rests_on():
    """However deep; one that rests on what may go is not."""
    secret, free = told("secret", HERE), told("free", CLOUD)
    first = told("first", cites=("secret", "free"))
    second, open_ = told("second", cites=("first",)), told("open", cites=("free",))
    keeps = keeping({"not_from": ["local"]}, secret, free, first)
    gone = await keeps.withheld([second, open_, secret, free], [CLOUD])
    assert {name: why.value for name, why in gone.items()} == {
        "secret": "origin",
        "second": "derived",
    }
    assert await keeps.withheld([second, secret], [HERE]) == {}


async def test_what_was_told_to_nobody_knows_whom_is_kept_back():
    """What the API added was told to no model."""
    chat = told("chat", conversation_id="c", turn_ids=("t",))
    keeps = keeping({"not_from": ["local"]})
    assert list(await keeps.withheld([chat, told("api")], [CLOUD])) == ["chat"]


def test_a_pattern_means_what_it_says():
    """Only `*` stands for others: names of servers and models have brackets, and any case."""
    model, server = (
        Destination("https://x.example/v1", "Claude-4[1m]"),
        Destination("http://[::1]:8/"),
    )
    assert model.fits("cloud/claude-4[1M]")
    assert model.fits("X.example/*[1m]")
    assert not model.fits("cloud/claude-41")
    assert not model.fits("cloud/claude-?[1m]")
    assert server.fits("[::1]:8")


async def test_of_two_rules_the_stricter_holds():
    """One alone would let it go."""
    rules = [PolicyRule(types=("semantic",)), PolicyRule(types=("episodic",))]
    keeps = Withholding(rules, Memories())
    assert list(await keeps.withheld([memory("a")], [CLOUD])) == ["a"]


async def test_a_topic_is_found_in_other_forms_and_in_metadata():
    """By its words, whatever their endings; likeness alone says nothing."""
    keeps = keeping({"not_topics": ["salary"]})
    tagged = replace(memory("x"), metadata={"category": "Salary"})
    items = [memory("User's salaries rose"), tagged, memory("User likes pay per view")]
    assert sorted(await keeps.withheld(items, [CLOUD])) == ["User's salaries rose", "x"]


async def test_asking_goes_on_with_what_is_left():
    """And is refused if that is too little."""
    keeps, asked = keeping({"not_topics": ["salary"]}), []

    class Model:
        async def complete(self, request: ChatRequest) -> ChatReply:
            await keeps.check(request, [CLOUD])
            asked.append([one.id for one in request.holds or ()])
            return ChatReply(text="", model="m")

        async def close(self) -> None: ...

    some = [memory("A salary"), memory("tea")]
    _, left = await ask(Model(), some, lambda _: REQUEST)
    assert (asked, [one.id for one in left]) == ([["tea"]], ["tea"])
    with pytest.raises(WithheldError):
        await ask(Model(), some, lambda _: REQUEST, least=2)
