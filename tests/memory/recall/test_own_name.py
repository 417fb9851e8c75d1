"""Who the user is called, they are."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.recall.own_name import AboutUser, about_user, names_told, own_names
from recollect.memory.recall.pinned import Line
from tests.support.folding import rows

from .memories import item


@rows(
    "text, names",
    [
        ("My name is Alice", [("alice",)]),
        ("my name is alice", [("alice",)]),
        ("The user's name is Alice Novak, a nurse", [("alice", "novak")]),
        ("Name is Alice", [("alice",)]),
        ("My name is Alice and my dog is called Rex", [("alice",)]),
        ("Mein Name ist Jan, meine Frau heißt Eva", [("jan",)]),
        ("Пользователя зовут Иван", [("иван",)]),
        ("我叫小明", [("小", "明")]),
        ("我的名字是王芳", [("王", "芳")]),
        ("My sister Rita is called Ri", []),
        ("My cat's name is Minka", []),
        ("I told you her name is Rita", []),
        ("His name is Bob", []),
        ("my name is on the list", []),
        ("What is my name?", []),
    ],
)
def test_a_name_is_the_users_own_if_the_words_for_naming_are(text, names):
    """A relative's, a pet's or somebody else's name is none."""
    assert own_names(text) == names


def told(text, *traits):
    return Line(item(text), frozenset(traits), frozenset(), 0)


ALICE = [told("My name is Alice", "name"), told("My wife's name is Eva", "name"), told("Bob", "")]
XIAOMING = [told("我叫小明", "name")]


@rows(
    "profile, wording, about",
    [
        (ALICE, "What does Alice do?", "What does user do?"),
        (ALICE, "what does alice eat", "what does user eat"),
        (ALICE, "Alice's job and Eva's", "user's job and Eva's"),
        (XIAOMING, "小明是做什么的?", "用户是做什么的?"),
        (ALICE, "Alice Miller's job", None),
        (ALICE, "What does Eva do?", None),
        (ALICE, "What do I do?", None),
        ([], "What does Alice do?", None),
    ],
)
def test_a_query_with_the_users_name_asks_about_the_user(profile, wording, about):
    """In place of the name is the user; one with another surname is somebody else."""
    found = about_user(names_told(profile), wording)
    assert (found.wording if found else None) == about


@rows("wording, telling", [("What does Alice do?", 1), ("Who is Alice?", 0)])
def test_what_tells_the_name_answers_who_somebody_is_only(wording, telling):
    """It holds the name, which is no evidence for anything else that is asked of the user."""
    found = about_user(names_told(ALICE), wording)
    assert isinstance(found, AboutUser)
    assert len(found.telling) == telling


@pytest.mark.parametrize("said", [True, False])
async def test_the_job_answers_and_not_the_name(tmp_path, models_dir, said):
    """Whatever else of the user is asked by name, too; another of that name is still found."""
    i, works = ("My name is", "I work") if said else ("User's name is", "User works")
    texts = [
        f"{i} Alice",
        f"{works} as a software engineer",
        "Alice Novak is a dentist from Prague",
    ]
    options = {"embedder": {"model_dir": models_dir}}
    async with await AsyncMemory.open(options, path=tmp_path) as memory:
        for text in texts[:2]:
            await memory.add(text, user_id="ada", infer=False)
        [job, *_] = await found(memory, "What does Alice do?")
        assert job == texts[1]
        [name, *_] = await found(memory, "What is my name?")
        assert name == texts[0]
        await memory.add(texts[2], user_id="ada", infer=False)
        assert texts[2] in (await found(memory, "Where is Alice the dentist from?"))[:1]


async def found(memory, query):
    """The texts that a search finds, best first."""
    results = await memory.search(query, user_id="ada", limit=3)
    return [one["memory"] for one in results["results"]]
