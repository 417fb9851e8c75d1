"""Memories that only together answer a question are found by what they share."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall.chains import LONGEST, MOST_COMMON, best_chains
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NONE = np.ones(4, np.float32) / 2


def alike(count):
    """Vectors that all have the same cosine to anything: only what is shared tells."""
    return np.tile(NONE, (count, 1))


def chained(question, *texts, **how):
    """The texts of the chains, best first."""
    found = best_chains(question, texts, NONE, alike(len(texts)), **how)
    return [[texts[place] for place in chain.places] for chain in found]


@rows("question, one, other, noise", ROWS["a name that the question does not have joins two"])
def test_a_name_that_the_question_does_not_have_joins_two(question, one, other, noise):
    """In scripts with and without capitals and blanks; what shares nothing is in no chain."""
    assert chained(question, noise, one, other) == [[one, other]]


def test_what_the_question_says_itself_joins_nothing():
    """Everything found shares words with it."""
    assert chained("Who sells bread in Bergen?", "I bought bread", "The bread is old") == []


def test_a_third_continues_a_chain():
    """Of the leader, her son and his shop the shop is in the chain too."""
    facts = (
        "Philomena runs our group",
        "Philomena's son Declan opened Skein",
        "We closed Skein on Wednesdays",
        "The bank has a queue",
    )
    assert chained("Which day is the shop of my leader's son shut?", *facts)[0] == list(facts[:3])


def test_a_name_in_another_spelling_is_the_same():
    """It is compared by its sound."""
    facts = ("I water plants for Katarzyna", "Yesterday Katarzina baked", "Rain again today")
    assert chained("What did my neighbour do?", *facts) == [list(facts[:2])]


def test_a_name_of_two_languages_is_the_same():
    """Short texts are taken for other languages, whose stems differ."""
    facts = ("Camilo pide 85 mil por persona, tres horas", "Camilo, el hijo de don Evaristo, guía")
    assert chained("¿Cuánto cobra?", *facts) == [list(facts)]


def test_of_equal_links_the_nearer_texts_are_better():
    """The cosine of both together to the question decides."""
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 1, 1]]
    texts = ("Anna met Zed", "Then Zed left", "Bob met Kit", "Then Kit left")
    found = best_chains("Where?", texts, np.eye(4, dtype=np.float32)[1], vectors)
    assert found[0].places == (2, 3)


def test_what_most_texts_share_joins_nothing():
    """It tells no two of them from the others."""
    texts = [f"Agnes {word}" for word in ("rows", "bakes", "reads", "sings", "hikes", "paints")]
    assert chained("Why?", *texts) == []


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=8))
def test_any_texts_are_read(question, texts):
    """Chains have two or three different texts, and those that are returned differ."""
    found = best_chains(question, texts, NONE, alike(len(texts)), most=3)
    for chain in found:
        assert 2 <= len(set(chain.places)) == len(chain.places) <= LONGEST
    common = [len({*one.places} & {*two.places}) for one in found for two in found if one != two]
    assert max(common, default=0) <= MOST_COMMON
