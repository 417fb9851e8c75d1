"""What two texts say about each other, as far as their words alone are exactly true."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile.exact_tokens import tokens
from recollect.memory.learn.reconcile.text_relation import (
    Statement,
    TextRelation,
    denied_in,
    denies,
    relation_between,
)
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("new, old, denied", ROWS["one statement and a denial"])
def test_one_statement_and_a_denial(new, old, denied):
    """Nothing but the denial may differ, and the form of one word."""
    assert denies(new, tokens(old)) is denied


@rows("text, value, rest", ROWS["what is said to be wrong"])
def test_what_is_said_to_be_wrong(text, value, rest):
    """The value, and the statement without the words that deny it."""
    [denied] = denied_in(text)
    assert (list(denied.value), denied.rest) == (value, tokens(rest))


@rows("text", ["User does not drink coffee", "User likes tea", "not", ""])
def test_a_whole_statement_is_no_value(text):
    """A bare negation denies all of it, which is another matter."""
    assert not [one for one in denied_in(text) if one.value and one.rest]


def test_something_else_must_stand_in_its_place():
    """At most a word longer: more of them tell something else."""
    [denied] = denied_in("User drinks tea, not coffee")
    assert denied.corrects(tokens("User drinks coffee"))
    assert not denied.corrects(tokens("User likes coffee"))
    [long] = denied_in("User drinks tea on most Mondays, not coffee")
    assert not long.corrects(tokens("User drinks coffee"))


ENDED, CONTRARY = TextRelation.ENDED, TextRelation.CONTRARY
CORRECTED = TextRelation.CORRECTED


@rows(
    "known, new, verdict",
    [
        ("User plays the oboe", "User no longer plays the oboe", ENDED),
        ("User plays the oboe.", "User used to play the oboe", ENDED),
        ("User plays the oboe", "User doesn't play the oboe any more.", ENDED),
        ("User plays the oboe", "User does not play the oboe", ENDED),
        ("I am vegetarian.", "I'm not vegetarian any more.", ENDED),
        ("User does not play the oboe", "User plays the oboe", CONTRARY),
        ("User no longer plays the oboe", "User plays the oboe", CONTRARY),
        ("Nutzer spielt Oboe", "Nutzer spielt nicht mehr Oboe", ENDED),
        ("Nutzer hat einen Hund", "Nutzer hat keinen Hund mehr", None),
        ("El usuario toca el oboe", "El usuario ya no toca el oboe", ENDED),
        ("L'utilisateur fume", "L'utilisateur ne fume plus", ENDED),
        ("L'utente fuma", "L'utente non fuma pi\u00f9", ENDED),
        ("Gebruiker rookt", "Gebruiker rookt niet meer", ENDED),
        ("\u7528\u6237\u62bd\u70df", "\u7528\u6237\u4e0d\u518d\u62bd\u70df", ENDED),
        (
            "User's choir meets on Tuesday.",
            "User's choir meets on Friday now, not Tuesday.",
            CORRECTED,
        ),
        (
            "User's choir meets on Tuesday",
            "User's choir meets not on Tuesday but on Friday",
            CORRECTED,
        ),
        ("User is a cook", "User is not a cook but a skipper", CORRECTED),
    ],
)
def test_what_words_alone_tell(known, new, verdict):
    """The text itself says that the known statement does not hold any more."""
    assert relation_between(Statement(new), known) is verdict


@rows("known, new", ROWS["what words alone do not tell"])
def test_what_words_alone_do_not_tell(known, new):
    """Whoever could be right about both keeps both."""
    assert relation_between(Statement(new), known) is None


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(TEXTS, TEXTS)
def test_any_two_texts(known, new):
    """Never raises; a text says of itself only that it is the same."""
    relation_between(Statement(new), known)
    assert relation_between(Statement(new), new) in {TextRelation.SAME, None}


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_never_a_verdict(one, other):
    """Whatever the numbers are."""
    verdict = relation_between(Statement(f"User's score is {one}"), f"User's score is {other}")
    assert verdict is (TextRelation.SAME if one == other else None)
