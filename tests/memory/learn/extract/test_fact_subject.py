"""Of whom a text tells."""

from recollect.memory.learn.extract.fact_subject import clauses_of, is_of_others, tells_of_user
from tests.support.folding import rows


@rows(
    "text, users",
    [
        ("User is vegan", True),
        ("The user is a coach", True),
        ("L'utilisateur vit à Lyon", True),
        ("用户对花粉过敏", True),
        ("User's wife is vegan", False),
        ("User's colleague is vegan", False),
        ("用户的同事小王花粉过敏", False),
        ("Rita is vegan", False),
    ],
)
def test_the_user_or_somebody_of_theirs(text, users):
    """A relation behind the user is another person."""
    assert tells_of_user(text) is users


@rows(
    "sentence, others",
    [
        ("My wife is vegan", True),
        ("My colleague Rita is vegan", True),
        ("私の上司の田中さんは卵アレルギーです", True),
        ("I am vegan", False),
        ("I cook for my wife", False),
        ("My wife and I are vegan", False),
        ("I see a doctor", False),
        ("It rains", False),
    ],
)
def test_a_clause_tells_of_others(sentence, others):
    """If the user is in it only as in "my wife"."""
    assert is_of_others(clauses_of(sentence)) is others
