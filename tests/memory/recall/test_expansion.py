"""What the first hits lead to: memories that speak of somebody whom a hit names. Pure."""

import numpy as np

from recollect.memory.recall.expansion import (
    LEAST,
    MOST_REACHED,
    BeforeStep,
    Edge,
    names_of,
    reached,
    spelled,
)
from tests.memory.recall.memories import index_of, stored
from tests.support.folding import rows

EVENING = "I got talking to a cheesemonger called Eskil in Bergen"
ADVICE = "Eskil said that I must try the brown one"
OTHERS = tuple(f"Something else number {n} about the garden" for n in range(9))


def steps(*texts, seeds=(0,), asked=(), given=(), unseen=(), **likely):
    """What the memories at `seeds` lead to, by text, in the order of how much it tells."""
    index = index_of(*[stored(text) for text in texts])
    scores = np.full(len(texts), 0.3)
    scores[list(unseen)] = -np.inf
    found = BeforeStep(
        scores, np.array([likely.get(f"m{n}", 0.0) for n in range(len(texts))]), seeds
    )
    edges = reached(index, found, asked, given)
    return {texts[at]: edge for at, edge in edges.items()}


def test_a_name_that_two_memories_share_leads_on():
    """Neither the question nor the second memory has a word of the other."""
    found = steps(EVENING, ADVICE, *OTHERS)
    assert list(found) == [ADVICE]
    assert (found[ADVICE].seed, found[ADVICE].by, found[ADVICE].value) == (0, "eskil", 1.0)


@rows(
    "seed, other",
    [
        ("Сын занимается у тренера Глеба Орлова", "Глеб Орлов сказал купить другие кроссовки"),
        ("上个月在杭州认识了龚阿姨", "龚阿姨说去梅家坞后山"),
        ("Mit dem Rad war ich bei Burgi", "Burgi rührt einen Löffel Topfen hinein"),
        ("hoyt took first at the cook-off", "hoyt slips cold coffee in his pot"),
    ],
)
def test_names_are_found_in_any_script(seed, other):
    """By their capitals, as what begins both memories, or as rare letters that both have."""
    assert list(steps(seed, other, *OTHERS)) == [other]


def test_what_the_question_names_needs_no_step():
    """A search finds it by its words."""
    assert steps(EVENING, ADVICE, *OTHERS, asked={"eskil"}) == {}


def test_a_word_that_is_no_name_does_not_lead_on():
    """Two memories of one store share some word or other."""
    assert steps("I bought a kettle today", "my old kettle leaks", *OTHERS) == {}


def test_who_is_in_most_memories_leads_nowhere():
    """That is the user, or somebody whom everything is about."""
    told = [f"In spring Ada likes the {what}" for what in ("tea", "sea", "hills")]
    assert steps(*told, "In autumn Ada sleeps") == {}


def test_what_may_not_be_seen_is_not_reached():
    """Its score is below all others: the scope does not admit it."""
    assert steps(EVENING, ADVICE, *OTHERS, unseen=[1]) == {}


def test_a_second_step_counts_less():
    """The shop of the son of my neighbour."""
    texts = (
        "We moved in beside Philomena", "Philomena has a son, Declan", "At last Declan's is open",
    )  # fmt: skip
    found = steps(*texts, *OTHERS)
    assert list(found) == list(texts[1:])
    assert found[texts[2]].seed == 1
    assert LEAST < found[texts[2]].value < found[texts[1]].value


def test_few_are_reached_and_what_answers_comes_first():
    """Somebody may be in a dozen memories."""
    about = [f"In week {n} Eskil was there" for n in range(8)]
    found = steps(EVENING, ADVICE, *about, *OTHERS * 3, m7=0.9)
    assert len(found) <= MOST_REACHED
    assert next(iter(found), about[5]) == about[5]


def test_a_long_text_counts_less():
    """It shares some word with any other."""
    long = " ".join([ADVICE, *(f"word{n}" for n in range(200))])
    assert steps(EVENING, long, *OTHERS)[long].value < 0.5


def test_an_edge_of_the_graph_counts_as_well():
    """What nothing in the texts connects."""
    given = [Edge(2, 0, "my sister", 0.8, "sister_of")]
    found = steps("My sister is a nurse", "It rains", "Anna moved to Turin", given=given)
    assert found["Anna moved to Turin"].relation == "sister_of"


@rows("text", ["", "?!", "Ｅskil", "a" * 5000, "\ud800"])
def test_any_text_has_names(text):
    """Without an error."""
    assert isinstance(names_of(text), frozenset)


def test_a_term_is_shown_as_it_is_written():
    """A stem tells a person nothing."""
    assert spelled("dunleavi", "at Dunleavy's, again") == "Dunleavy"
    assert spelled("nowhere", "at Dunleavy's") == "nowhere"


def test_of_two_hits_the_better_leads_to_the_other():
    """Never both to each other: then neither would be shown without the other."""
    found = steps(EVENING, ADVICE, *OTHERS, seeds=(1, 0))
    assert [(text, edge.seed) for text, edge in found.items()] == [(EVENING, 1)]


def test_a_small_store_that_was_often_changed_is_read_as_it_is():
    """What is removed holds no name any more, and counts for nothing."""
    index = index_of(*[stored(text) for text in (EVENING, ADVICE, *OTHERS)])
    for _ in range(9):
        index.add(stored(ADVICE))
    at = {one.item.id: at for at, one in enumerate(index.entries) if one}
    scores = np.full(len(index.entries), 0.3)
    found = BeforeStep(scores, np.zeros(len(scores)), [at[EVENING]])
    assert list(reached(index, found, ())) == [at[ADVICE]]
