"""Whether what a fact was read from asserts it."""

from recollect.memory.learn.extract.fact_passage import Known, passage_of
from recollect.memory.learn.extract.stance import is_denied, is_unsure
from tests.support.folding import rows

from .turns import fact, said, turn


def read(user, text, quote):
    one = fact(text, quote)
    return one, passage_of(one, said(turn(user)), Known([]))


@rows(
    "user, text, quote",
    [
        ("What are the KPIs for user Christophe?", "User's name is Christophe", "user Christophe"),
        ("Is a pug good with stairs?", "User has a pug", "a pug"),
        ("¿Es verdad que los zurdos viven menos?", "El usuario es zurdo", "los zurdos"),
        ("糖尿病人能吃西瓜吗？", "用户有糖尿病", "糖尿病人"),
        ("I never lived in Chicago", "User lived in Chicago", "lived in Chicago"),
        ("I don't have any pets", "User has pets", "I don't have any pets"),
        ("Nie mam psa", "User has a dog", "mam psa"),
        ("我不吃香菜", "用户吃香菜", "吃香菜"),
        ("I live in Porto", "User does not live in Porto", "I live in Porto"),
    ],
)
def test_asked_or_denied(user, text, quote):
    """A question tells nothing, and a denial the contrary, also if the quote leaves it out."""
    assert is_denied(*read(user, text, quote))


@rows(
    "user, text, quote",
    [
        ("What can I cook for my vegan wife?", "User's wife is vegan", "my vegan wife"),
        ("I don't drink", "User is teetotal", "I don't drink"),
        ("I don't eat meat but I love fish", "User loves fish", "I love fish"),
        ("Quit smoking in May", "User no longer smokes", "Quit smoking"),
        ("Nobody here eats mushrooms except me", "User eats mushrooms", "except me"),
        ("I'm not a fan of surprises", "User dislikes surprises", "not a fan of surprises"),
        ("We've two labs, which vacuum?", "User has two labs", "We've two labs"),
    ],
)
def test_neither_asked_nor_denied(user, text, quote):
    """What a question presupposes, and what a denial says in other words, stands."""
    one, passage = read(user, text, quote)
    assert (is_denied(one, passage), is_unsure(one, passage)) == ("", "")


@rows(
    "user, text, quote",
    [
        ("I'm thinking of selling the van", "User sold the van", "selling the van"),
        ("If I won the lottery I'd be on Madeira", "User is on Madeira", "I'd be on Madeira"),
        ("Let's play. I am a king.", "User is a king", "I am a king"),
        (
            'Proofread: "I speak fluent Danish."',
            "User speaks fluent Danish",
            "I speak fluent Danish",
        ),
    ],
)
def test_unsure(user, text, quote):
    """What is supposed or supplied is left to a model that can read."""
    one, passage = read(user, text, quote)
    assert is_unsure(one, passage)
    assert not is_denied(one, passage)


@rows(
    "user, text, quote",
    [
        (
            "I'm thinking of selling the van",
            "User is thinking of selling the van",
            "selling the van",
        ),
        ("My wife is vegan", "User's wife is vegan", "My wife is vegan"),
        ("My sister and I live in Porto", "User lives in Porto", "My sister and I live in Porto"),
        ("I'm vegan, if it helps", "User is vegan", "I'm vegan"),
    ],
)
def test_sure(user, text, quote):
    """A fact that says so itself, or a clause of the user's own, is not doubted."""
    assert is_unsure(*read(user, text, quote)) == ""
