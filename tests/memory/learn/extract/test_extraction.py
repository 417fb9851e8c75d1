"""Extraction with its IO: turns become candidates with evidence."""

import re

import pytest

from recollect.memory.learn.extract import extract
from recollect.memory.learn.extract.fallback import BASE_CALLS, MAX_VAIN
from recollect.memory.learn.extract.prompts import EXTRACTION_PROMPT, GRAPH_FORM, TRIPLE_FORM
from recollect.memory.model.errors import (
    MAX_RAW_CHARS,
    ExtractionError,
    ModelError,
    ModelUnavailableError,
)
from tests.support.folding import rows

from ..doubles import Says
from .turns import Counts, answer, stated, talk, turn

NAMES = [f"Name{letter}" for letter in "abcdefghij"]


def shown(request):
    """The names in the turns that a call shows, by the number of the turn."""
    turns = re.findall(
        r"^\[(\d+)\].*\nuser: I know (\w+)", request.messages[1].content, re.MULTILINE
    )
    return {int(number): name for number, name in turns}


def fine(request):
    return answer(
        *(stated(f"User knows {name}", f"I know {name}", n) for n, name in shown(request).items())
    )


def texts(extraction):
    return [candidate.text for candidate in extraction.candidates]


def friends(count=10):
    return talk(*(f"I know {name}" for name in NAMES[:count]))


ALL = [f"User knows {name}" for name in NAMES]


async def test_facts_with_their_turns():
    """One call; each fact leads to the turn that shows it and to the words there."""
    model = Says(fine)
    extraction = await extract(model, friends(3), max_tokens=77)
    assert texts(extraction) == ALL[:3]
    assert [c.turn_ids for c in extraction.candidates] == [("t1",), ("t2",), ("t3",)]
    assert [c.quote for c in extraction.candidates] == [f"I know {name}" for name in NAMES[:3]]
    assert (extraction.strategy, extraction.calls, extraction.rejected) == ("schema", 1, {})
    assert model.requests[0].max_tokens == 77


async def test_what_is_rejected_is_counted():
    """Each claim that is no fact is counted, a refuted one kept; the others are learned."""
    extraction = await extract(
        Says(
            answer(
                stated("User knows Namea", "I know Namea"),
                stated("User knows Zorro well", "I know Namea"),
                stated("x" * 5000, "I know Namea"),
            )
        ),
        friends(1),
    )
    assert texts(extraction) == ["User knows Namea"]
    assert extraction.rejected == {"too_long": 1}
    [doubted] = extraction.doubted
    assert doubted.candidate.text == "User knows Zorro well"
    assert doubted.doubt.detail == "another name than zorro"
    assert dict(extraction.refused)["User knows Zorro well"] == doubted.doubt.detail


@rows(
    "said",
    ["It seems fine.", "<html><body>Bad Gateway</body></html>", '{"facts": 7}', "null", "[" * 9999],
)
async def test_lesson_8_failure_is_never_zero_facts(said):
    """A model that answers prose, HTML or wrong types is an error that holds its words."""
    model = Says(said)
    with pytest.raises(ExtractionError) as caught:
        await extract(model, friends())
    assert caught.value.raw == said[:MAX_RAW_CHARS]
    assert len(model.requests) == MAX_VAIN


async def test_one_hopeless_turn_costs_only_itself():
    """The batch is halved until the turn that breaks the model is alone; the others are learned."""

    def chokes(request):
        return "I choke" if "Nameg" in str(shown(request)) else fine(request)

    model = Says(chokes)
    extraction = await extract(model, friends())
    assert texts(extraction) == [text for text in ALL if "Nameg" not in text]
    assert (extraction.failed, extraction.raw) == (("t7",), "I choke")
    assert extraction.rejected == {"unread": 1}
    assert extraction.strategy == "smaller"
    assert extraction.calls == len(model.requests) <= 16


async def test_too_much_for_the_model_is_asked_in_smaller_parts():
    """A server that refuses long calls is given shorter ones until it takes them."""

    def small(request):
        return ModelError("HTTP 400") if len(shown(request)) > 3 else fine(request)

    extraction = await extract(Says(small), friends())
    assert sorted(texts(extraction)) == ALL
    assert extraction.failed == ()


async def test_an_answer_cut_off():
    """The facts that came whole are kept, and the turns from there on are asked for again."""

    def cut(request):
        whole = fine(request)
        return whole[:600] if len(whole) > 600 else whole

    extraction = await extract(Says(cut), friends())
    assert sorted(texts(extraction)) == ALL
    assert extraction.failed == ()


async def test_one_turn_that_fills_every_answer():
    """A single turn with more facts than an answer holds is divided, and what is left is counted."""
    long = "".join(f"I know Name{n} well. " for n in range(1, 290))
    line = "semantic | 0.5 | 1 | {0} | User knows {1}"

    def full(request):
        found = re.findall(r"(I know (Name\d+) well)", request.messages[1].content)
        return "\n".join(line.format(*one) for one in found[:72]) if found else "NONE"

    extraction = await extract(Counts("?", "?", full, tokens=2000), [turn(long)])
    assert len(extraction.candidates) >= 145
    assert extraction.calls <= BASE_CALLS + 2


async def test_a_model_that_is_down():
    """A server that cannot be reached is an error at once, also in a later part."""
    model = Says(ModelUnavailableError("down"))
    with pytest.raises(ModelUnavailableError):
        await extract(model, friends())
    assert len(model.requests) == 1
    with pytest.raises(ModelUnavailableError):
        await extract(
            Says(answer(), ModelUnavailableError("down")), talk("x. " * 9000, "y. " * 9000)
        )


async def test_a_turn_of_100_000_tokens():
    """It is read whole in a bounded number of calls, none of which is long."""
    lines = [f"On that day number {n} we walked along the river again. " for n in range(8_000)]
    lines[4321] = "My sister is called Ana-Lucía by the way. "
    text = "".join(lines)
    assert len(text) > 400_000

    def find(request):
        sister = stated("User's sister is Ana-Lucía", "My sister is called Ana-Lucía")
        return answer(sister) if "Ana-Luc" in request.messages[1].content else answer()

    model = Says(find)
    extraction = await extract(model, [turn(text)])
    [candidate] = extraction.candidates
    assert candidate.quote == "My sister is called Ana-Lucía"
    assert extraction.calls <= 16
    assert max(len(request.messages[1].content) for request in model.requests) < 40_000


async def test_other_peoples_ids():
    """Ids, scopes and turns that a model names are not used."""
    claim = stated("User knows Namea", "I know Namea", 99, id="m-1", user_id="eve", turn_ids=["t9"])
    [candidate] = (await extract(Says(answer(claim)), friends(1))).candidates
    assert candidate.turn_ids == ("t1",)
    assert "eve" not in repr(candidate)


async def test_lesson_1_memories_are_not_learned_again():
    """A memory that the assistant repeats, or the user pastes, is no new fact."""
    known = ["User prefers trains to planes"]
    turns = [turn("Plan my trip", "As User prefers trains to planes, take the train.")]
    said = answer(stated("User prefers trains to planes", "User prefers trains to planes"))
    extraction = await extract(Says(said), turns, known=known)
    assert (extraction.candidates, extraction.rejected) == ((), {"known": 1})


async def test_an_own_prompt_is_checked_too():
    """What was said refutes whatever the model was told."""
    claims = [stated("Has a cat", "I have a cat"), stated("Has 7 cats", "I have 2 cats")]
    model = Says(answer(*claims))
    extraction = await extract(model, [turn("I have a cat, no, 2 cats")], prompt="Only {pets}.")
    assert (texts(extraction), len(extraction.doubted)) == (["Has a cat"], 1)
    assert model.requests[0].messages[0].content.startswith("Only {pets}.\n\n")
    await extract(model, [turn("I have a cat")], prompt="")
    assert model.requests[1].messages[0].content.startswith(EXTRACTION_PROMPT)


@rows("form", [TRIPLE_FORM, GRAPH_FORM])
def test_the_schema_is_one_strict_servers_take(form):
    """Every object lists all its properties as required and allows no others."""
    nodes = [form.schema]
    for node in nodes:
        nodes += [each for each in node.values() if isinstance(each, dict)]
    found = [node for node in nodes if node.get("type") == "object"]
    assert len(found) > 1
    for node in found:
        assert node["additionalProperties"] is False
        assert set(node["required"]) == set(node["properties"])
