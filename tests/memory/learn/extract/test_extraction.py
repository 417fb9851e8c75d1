"""Extraction with its IO: turns become candidates with evidence."""

import asyncio
import json
import re
from datetime import timedelta

import pytest

from recollect.memory.learn.extract import FEW_VAIN, Effort, extract
from recollect.memory.learn.extract.answer import MAX_FACTS
from recollect.memory.learn.extract.fallback import BASE_CALLS, MAX_VAIN
from recollect.memory.learn.extract.prompts import EXTRACTION_PROMPT
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.errors import (
    MAX_RAW_CHARS,
    ExtractionError,
    ModelError,
    ModelUnavailableError,
)
from recollect.memory.model.types import Source
from tests.support.folding import rows

from ..doubles import Says
from .turns import MONDAY, Counts, answer, stated, talk, turn

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


async def test_lesson_15_no_facts_is_no_failure():
    """An empty list is a result: nothing found, nothing rejected, nothing failed."""
    extraction = await extract(Says(answer()), friends())
    assert (extraction.candidates, extraction.rejected, extraction.failed) == ((), {}, ())


@pytest.mark.parametrize("turns", [[], [turn(" ", "\n")]])
async def test_nothing_to_read_costs_no_call(turns):
    """Without anything that was said no model is asked."""
    model = Says(answer())
    assert (await extract(model, turns)).calls == 0
    assert model.requests == []


async def test_repetitions_count_once():
    """The same fact, however written, is one candidate."""
    facts = [stated(text, "I know Namea") for text in ("User knows Namea", "user KNOWS namea")]
    assert texts(await extract(Says(answer(*facts)), friends(1))) == ["User knows Namea"]


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


async def test_raw_is_bounded():
    """Of an endless answer the error keeps the beginning."""
    with pytest.raises(ExtractionError) as caught:
        await extract(Says("x" * 1_000_000), friends(1))
    assert len(caught.value.raw) == MAX_RAW_CHARS


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


async def test_a_later_try_asks_about_smaller_parts():
    """What one poisonous turn breaks in a first short try is read in the second, within as few calls."""

    def chokes(request):
        return "I choke" if "Namea" in str(shown(request)) else fine(request)

    with pytest.raises(ExtractionError):
        await extract(Says(chokes), friends(), effort=Effort(vain=FEW_VAIN))
    extraction = await extract(Says(chokes), friends(), effort=Effort(vain=FEW_VAIN, halved=1))
    assert texts(extraction) == [text for text in ALL if "Namea" not in text]
    assert extraction.failed == ("t1",)


async def test_a_short_message_cannot_be_halved():
    """It is asked about in the same ways again, and never more often than allowed."""
    model = Says("prose")
    with pytest.raises(ExtractionError):
        await extract(model, friends(1), effort=Effort(vain=2, halved=3))
    assert len(model.requests) == 2


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
    long = "".join(f"I know Name{n} well. " for n in range(1, 400))
    line = "semantic | 0.5 | 1 | {0} | User knows {1}"

    def full(request):
        found = re.findall(r"(I know (Name\d+) well)", request.messages[1].content)
        return "\n".join(line.format(*one) for one in found[:100]) if found else "NONE"

    extraction = await extract(Counts("?", "?", full, tokens=2000), [turn(long)])
    assert len(extraction.candidates) >= 200
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


async def test_a_model_that_refuses_everything():
    """If it never answered, that it refused is the error, not that it said nothing readable."""
    for count in (1, 10):
        model = Says(ModelError("HTTP 401"))
        with pytest.raises(ModelError, match="401"):
            await extract(model, friends(count))
        assert len(model.requests) <= 6


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


async def test_10_000_facts():
    """An answer with ten thousand facts is read up to a bound, and the rest counted."""
    claims = [
        stated(f"User knows Namea {'x' * (n % 50)}{n}", "I know Namea") for n in range(10_000)
    ]
    extraction = await extract(Says(answer(*claims)), friends(1))
    assert extraction.rejected["too_many"] >= 10_000 - MAX_FACTS - 9_000
    assert len(extraction.candidates) <= MAX_FACTS


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


async def test_lesson_2_the_assistants_invention():
    """A nickname that only the assistant uses comes out as the assistant's."""
    turns = [turn("Hi", "Hi Sparky!")]
    said = answer(stated("User's nickname is Sparky", "Hi Sparky"))
    [candidate] = (await extract(Says(said), turns)).candidates
    assert candidate.source is Source.ASSISTANT


async def test_lesson_6_facts_in_the_conversations_language():
    """The model is told to keep the language; a translation is no reason to doubt a fact."""
    turns = [turn("我叫王小明")]
    model = Says(
        answer(stated("User is Wang Xiaoming", "我叫王小明"), stated("用户叫王小明", "我叫王小明"))
    )
    extraction = await extract(model, turns)
    assert texts(extraction) == ["User is Wang Xiaoming", "用户叫王小明"]
    assert "in the language the user writes in" in model.heard()


async def test_lesson_7_each_turn_has_its_own_clock():
    """Dates are counted from the day of the turn they are said in, not from today."""
    turns = [
        turn("I fly tomorrow", n=1),
        turn("I see Ana tomorrow", n=2, at=MONDAY + timedelta(days=7)),
    ]
    extraction = await extract(
        Says(
            answer(
                stated("User flies tomorrow", "I fly tomorrow", 1),
                stated("User sees Ana on 2026-11-22", "I see Ana tomorrow", 2),
            )
        ),
        turns,
    )
    assert texts(extraction) == ["User flies tomorrow (2026-03-03)", "User sees Ana on 2026-03-10"]


async def test_lesson_9_reasoning_is_no_answer():
    """Thoughts are stripped, and an answer that is nothing else is a failure."""
    thought = "<think>The list would be [] for others.</think>"
    extraction = await extract(
        Says(thought + answer(stated("User knows Namea", "I know Namea"))), friends(1)
    )
    assert texts(extraction) == ["User knows Namea"]
    with pytest.raises(ExtractionError):
        await extract(Says(thought), friends(1))


async def test_lesson_10_code_that_breaks_json():
    """Escapes that small models cannot write cost no fact: they are mended, or lines are asked for."""
    turns = [turn(r"I grep with \d+ in C:\work")]
    escaped = r'{"facts": [{"text": "User greps with \d+", "quote": "I grep with \d+"}]}'
    assert texts(await extract(Says(escaped), turns)) == [r"User greps with \d+"]
    broken = '{"facts": [{"text": "User greps "with" code'
    line = r"procedural | 0.5 | 1 | I grep with \d+ in C:\work | User greps with \d+"
    extraction = await extract(Says(broken, broken, line), turns)
    assert (texts(extraction), extraction.strategy) == ([r"User greps with \d+"], "lines")


async def test_an_own_prompt_is_checked_too():
    """What was said refutes whatever the model was told."""
    claims = [stated("Has a cat", "I have a cat"), stated("Has 7 cats", "I have 2 cats")]
    model = Says(answer(*claims))
    extraction = await extract(model, [turn("I have a cat, no, 2 cats")], prompt="Only {pets}.")
    assert (texts(extraction), len(extraction.doubted)) == (["Has a cat"], 1)
    assert model.requests[0].messages[0].content.startswith("Only {pets}.\n\n")
    await extract(model, [turn("I have a cat")], prompt="")
    assert model.requests[1].messages[0].content.startswith(EXTRACTION_PROMPT)


@rows("value", [float("nan"), {"a": [1]}, None, "x" * 9999, -(10**400)])
async def test_wrong_types_cost_only_themselves(value):
    """A field of the wrong type is left out; the fact is learned."""
    claim = stated("User knows Namea", "I know Namea") | {
        "importance": value,
        "type": value,
        "turn": value,
        "subject": value,
    }
    [candidate] = (await extract(Says(json.dumps({"facts": [claim]})), friends(1))).candidates
    assert 0 <= candidate.importance <= 1


async def test_a_real_small_model_ends_in_a_defined_state(llama):
    """Whatever a real model of 135M parameters says, it ends as facts with evidence or as an error."""
    options = OpenAIChatOptions(base_url=llama.base_url, model="smollm2", timeout_seconds=120)
    model = OpenAIChatModel(options)
    turns = [turn(r"I am Bob. My regex \d+ fails in C:\work on Python 3.11.", "Use raw strings.")]
    found = await asyncio.gather(extract(model, turns, max_tokens=20), return_exceptions=True)
    await model.close()
    [outcome] = found
    if isinstance(outcome, ExtractionError):
        assert outcome.raw
        return
    spoken = {each.id: f"{each.user_text} {each.assistant_text}" for each in turns}
    assert set(outcome.failed) <= set(spoken)
    assert all(c.quote in spoken[c.turn_ids[0]] for c in outcome.candidates)
    assert 1 <= outcome.calls <= BASE_CALLS + len(turns)
