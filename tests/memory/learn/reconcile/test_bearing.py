import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile.bearing import MAX_CHARS, Bearing, Statement, bearing_on

ENDED, CONTRARY = Bearing.ENDED, Bearing.CONTRARY
CORRECTED, LEFT = Bearing.CORRECTED, Bearing.LEFT


@pytest.mark.parametrize(
    ("known", "new", "verdict"),
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
        ("User lives in Graz", "User moved from Graz to Trieste", LEFT),
        ("User is based in Graz", "User relocated from Graz to Trieste in May", LEFT),
        ("El usuario vive en Quito", "El usuario se mud\u00f3 de Quito a Loja", LEFT),
    ],
)
def test_what_words_alone_tell(known, new, verdict):
    """The text itself says that the known statement does not hold any more."""
    assert bearing_on(Statement(new), known) is verdict


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("User finished part 3 of the course", "User finished part 4 of the course"),
        ("User is 44 years old", "User is 45 years old"),
        ("User's rent is 900 EUR", "User's rent is now 950 EUR"),
        ("User's son plays football", "User's sons do not play football"),
        ("User voted for the bridge", "User did not vote against the bridge"),
        ("User eats meat", "User should not eat meat"),
        ("User eats meat on Sundays", "User does not eat meat on Fridays"),
        ("User drinks coffee", "User drinks tea today, not coffee"),
        ("User drinks coffee", "User drinks tea on Mondays, not coffee"),
        ("User works at home", "User works in Bonn, not at home on Fridays"),
        ("User's sister lives in Graz", "User moved from Graz to Trieste"),
        ("User lives in Graz", "User's sister moved from Graz to Trieste"),
        ("User loves Graz", "User moved from Graz to Trieste"),
        ("User has a flat in Graz and lives in Bonn", "User moved from Graz to Trieste"),
        ("User lives in Graz", "User moved from Bonn to Trieste"),
        ("User does not live in Graz", "User moved from Graz to Trieste"),
        ("User takes the train from Split to Zagreb", "User takes the train from Zagreb to Split"),
        ("User speaks Czech", "User speaks Polish"),
    ],
)
def test_what_words_alone_do_not_tell(known, new):
    """Whoever could be right about both keeps both."""
    assert bearing_on(Statement(new), known) is None


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(TEXTS, TEXTS)
def test_any_two_texts(known, new):
    """Never raises; a text says of itself only that it is the same."""
    bearing_on(Statement(new), known)
    assert bearing_on(Statement(new), new) in {Bearing.SAME, None}


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_never_a_verdict(one, other):
    """Whatever the numbers are."""
    verdict = bearing_on(Statement(f"User's score is {one}"), f"User's score is {other}")
    assert verdict is (Bearing.SAME if one == other else None)


def test_long_texts_are_more_than_one_statement():
    """Only equality is seen in them."""
    long = "User plays the oboe " + "and sings " * 60
    assert len(long) > MAX_CHARS
    assert bearing_on(Statement("User no longer plays " + long), long) is None
    assert bearing_on(Statement(long), long) is Bearing.SAME
