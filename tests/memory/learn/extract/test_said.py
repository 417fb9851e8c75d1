import pytest

from recollect.memory.learn.extract.said import is_typo, scripts_of
from recollect.memory.model.types import Source

from .turns import said, turn

TALK = said(
    turn(
        "My wife Ana-Lucía moved to New York City. She works at O'Brien's, on openSUSE, from Portugal.",
        "In NY?",
    ),
    turn("ich mag Kaffee", steps=[("crm", "Customer: Zeta Corp")], n=2),
)


def test_who_said_what():
    """What the user, the tools and the assistant said is kept apart, with the turn it is from."""
    assert [part.turn.id for part in TALK.by(Source.EXTRACTION)] == ["t1", "t2"]
    assert [part.text for part in TALK.by(Source.TOOL)] == ["Customer: Zeta Corp"]
    assert [part.number for part in TALK.by(Source.ASSISTANT)] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "User's wife is Ana-Lucía",
        "User's wife is Ana-Lucia",
        "Ana's job is at O'Brien",
        "User's wife lives in NYC",
        "User knows Zeta Corp",
        "User is Portuguese",
        "User likes OpenSUSE",
        "User has a wife",
        "Der User arbeitet als Lehrer an einer Schule",
        "用户认识她",
    ],
)
def test_names_that_were_said(text):
    """Names count as said whatever their accents, case and endings; so do initials."""
    assert not TALK.unsaid_names(text)


@pytest.mark.parametrize(
    "text", ["User's wife is called Bobby", "User's nickname is Sparky", "User works with Anton"]
)
def test_invented_names(text):
    """A name that nobody said is found."""
    assert TALK.unsaid_names(text)


def test_names_of_other_endings():
    """In languages that inflect names, the beginning of one tells."""
    talk = said(turn("Вчера встретил Анну в Москве, мы говорили о работе"))
    assert not talk.unsaid_names("Пользователь знает, что это Анна из города Москва")
    assert talk.unsaid_names("Пользователь знает, что это Борис из города Москва")


def test_a_name_in_full():
    """What was said in initials may be written out."""
    assert not said(turn("born in NYC")).unsaid_names("User was born in New York City")


@pytest.mark.parametrize("other", ["alergic", "allergicc", "alelrgic", "allergyc", "allergic"])
def test_one_typo(other):
    """A letter may be missing, doubled, wrong or in the place of its neighbour."""
    assert is_typo("allergic", other)
    assert is_typo(other, "allergic")
    assert not is_typo("allergic", "allegro")


def test_around():
    """The sentence of a passage is found, and both if it stands in two."""
    [part, *_] = said(turn("I came. I saw. I won.")).parts
    assert part.around(2, 6) == "I came. "
    assert part.around(2, 10) == "I came.  I saw. "
    assert part.around(2, 6, beside=1) == "I came.  I saw. "


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("I am Bob", {"latin"}),
        ("我叫王小明", {"cjk"}),
        ("私は東京に住んでいます", {"cjk"}),
        ("Я живу в Москве и пользуюсь очень старым ноутбуком IBM", {"cyrillic"}),
        ("123 !", set()),
    ],
)
def test_scripts(text, scripts):
    """The scripts of a text are told; a name in another one does not count."""
    assert scripts_of([text]) == scripts
