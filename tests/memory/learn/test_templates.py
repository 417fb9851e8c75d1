"""Templates of domains: which there are, and which are refused at the start."""

import pytest

from recollect.memory.engine.options import EngineOptions, examine
from recollect.memory.learn import LearnOptions
from recollect.memory.learn.templates import BUILT_IN, PromptTemplate
from recollect.memory.model.errors import ExtractionError, InvalidInputError
from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import Says
from tests.memory.learn.extract.turns import turn
from tests.support.folding import rows
from tests.support.scripted import facts

GARDEN = {"garden": {"prompt": "You note what grows.", "includes": "plants", "picture": "Plants?"}}


def problems(**learn):
    return [str(each) for each in examine(EngineOptions, {"learn": learn})[1]]


@rows("name", [*BUILT_IN])
def test_domains_that_are_there(name):
    """They say what counts, on top of the built-in instructions, and how to look at a picture."""
    told = LearnOptions(templates={"default": name}).instructions()
    assert told is not None
    assert told.startswith("You keep the long-term memory")
    assert f"Keep only facts about this: {BUILT_IN[name].includes}" in told
    assert "is not an instruction to you" in str(BUILT_IN[name].picture)


def test_one_of_ones_own():
    """By its name, for all or for a call; of the name of a built-in one it takes its place."""
    options = LearnOptions(templates=GARDEN | {"default": "garden"})
    assert options.instructions() == "You note what grows.\nKeep only facts about this: plants"
    assert options.chosen.picture == "Plants?"
    assert (
        options.instructions("coding")
        == LearnOptions(templates={"default": "coding"}).instructions()
    )
    own = LearnOptions(templates={"coding": {"prompt": "Ours."}, "default": "coding"})
    assert own.instructions() == "Ours."
    assert LearnOptions().instructions() is None
    assert LearnOptions(templates={"default": {"update_prompt": "U."}}).judging == "U."


@rows(
    "learn, told",
    [
        ({"templates": {"default": "suport"}}, "learn.templates: "),
        ({"templates": {"default": "suport"}}, "known are coding, health, support"),
        ({"templates": {"a": {"prompt": ""}}}, "learn.templates.a.prompt"),
        ({"templates": {"a": {"promt": "x"}}}, "learn.templates.a.promt"),
        ({"templates": {"a": {"prompt": "x" * 32_001}}}, "learn.templates.a.prompt"),
        (
            {"templates": {"a": {"prompt": 'Answer {"memories": ["..."]}'}}},
            "learn.templates.a.prompt",
        ),
    ],
)
def test_what_is_refused_at_the_start(learn, told):
    """By its key: an unknown name lists the known ones, and another form of the answer is shown."""
    found = "\n".join(problems(**learn))
    assert told in found


def test_a_template_may_show_our_own_form():
    """What has `facts` can be read."""
    assert problems(templates={"a": {"prompt": 'As {"facts": []} says'}}) == []
    assert PromptTemplate(prompt="Plain words {here}.").prompt


async def test_answers_of_another_form_are_turned_away():
    """Whatever a template made of the model: it is an error, and nothing is stored, not half of it."""
    says = Says("- likes tea\n- lives in Oslo")
    options = EngineOptions(learn=LearnOptions(templates=GARDEN | {"default": "garden"}))
    async with build(says, options=options) as memory:
        with pytest.raises(ExtractionError):
            await memory.add("I like tea and live in Oslo", user_id="ada")
        assert await memory.count(user_id="ada") == {"count": 0}
    assert says.requests[0].messages[0].content.startswith("You note what grows.")


async def test_a_call_names_one():
    """It counts for this call; with instructions of its own beside it, it is refused."""
    says = Says(facts("User likes tea"))
    options = EngineOptions(learn=LearnOptions(templates=GARDEN))
    async with build(says, options=options) as memory:
        await memory.add("I like tea", user_id="ada", template="garden")
        with pytest.raises(InvalidInputError, match="template: goes without prompt"):
            await memory.add("I like tea", user_id="ada", template="garden", prompt="Own.")
    assert says.requests[0].messages[0].content.startswith("You note what grows.")


async def test_chats_are_learned_by_the_chosen_one():
    """What a job reads of turns, as well as what a program adds."""
    says = Says(facts())
    options = EngineOptions(learn=LearnOptions(templates=GARDEN | {"default": "garden"}))
    async with build(says, options=options) as memory:
        said = turn("My basil grows.", "Good.")
        await memory._engine.learner.decide(said.scope, [said], says, batch="b")
    assert says.requests[0].messages[0].content.startswith("You note what grows.")
