import itertools

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.learn.reconcile.exact_tokens import located, tokens
from tests.support.folding import rows


@rows(
    "one, other",
    [
        ("User likes tea", "user LIKES  tea!"),
        ("User likes tea.", "\uff35ser likes tea"),
        ("User\u2019s rent is 5", "User's rent is 5;"),
        ("It was \u22125 outside", "it was -5 outside"),
        ("User doesn't smoke", "User does not smoke"),
        ("\u7528\u6237\u559c\u6b22\u8336\u3002", "\u7528\u6237\u559c\u6b22\u8336"),
    ],
)
def test_what_is_the_same(one, other):
    """Case of words, blanks, width, variants of one sign and the end of a clause say nothing."""
    assert tokens(one) == tokens(other)


@rows(
    "one, other",
    [
        ("User owes 200 EUR", "User owes -200 EUR"),
        ("at least \u2265 16 GB", "at most \u2264 16 GB"),
        ("needs +1.5 D", "needs -1.5 D"),
        ("before meals", "after meals"),
        ("reads C", "reads C++"),
        ("logs go to /srv/a", "logs go to /srv/A"),
        ("reads Survey.csv", "reads survey.csv"),
        ("calls getName", "calls getname"),
        ("pays $5", "pays \u20ac5"),
        ("weighs 2.200", "weighs 2,200"),
        ("loves m\u00b2", "loves m2"),
        ("is 5%", "is 5"),
        ("gave him a key", "gave her a key"),
        ("is from Rome", "is to Rome"),
        ("costs 3:2", "costs 32"),
        ("Mas\u00dfe", "Masse"),
        ("is UTC+2", "is UTC-2"),
    ],
)
def test_what_is_not_the_same(one, other):
    """Signs, numbers, units, function words, and case in paths and identifiers count."""
    assert tokens(one) != tokens(other)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read(text):
    """In order, each token where it says it is; reading the form NFD gives no other number."""
    found = located(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    assert all(one.text for one in found)
