"""What speaks for each memory, and what signals are made of."""

import math
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recollect.memory.calibration import Calibration
from recollect.memory.language import language_of
from recollect.memory.model.types import Scope
from recollect.memory.recall import signals as asking
from recollect.memory.recall.bm25 import K1, PRIOR_DOCUMENTS, TELLING, B, bm25, idf, telling
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.meaning import meaning
from recollect.memory.recall.signals import (
    MENTIONED,
    MOST_RESPELLED,
    SIGNALS,
    SPOKEN,
    Signal,
    analysed,
    signals_of,
)
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, stored
from tests.support.folding import rows
from tests.support.tables import tables

CALIBRATION = Calibration(recall=0.3, update=1.1, same=1.1, floor=0.2, ceiling=0.7)


def found(index, *wordings, vectors=(0,), neighbours=1.0, now=NOON):
    """The signals of a query that lies at these angles."""
    at = np.stack([angle(degrees) for degrees in vectors])
    asked = analysed(wordings, at, index.languages, now)
    return signals_of(index, asked, CALIBRATION, neighbours=neighbours)


def row(name, *args, **options):
    """One signal of every memory."""
    return found(*args, **options).table[SIGNALS.index(name)].tolist()


def far_apart(*texts, **fields):
    """Memories that are nobody's neighbours."""
    return index_of(*[stored(t, minutes=100 * n, **fields) for n, t in enumerate(texts)])


def test_lines_of_a_dialogue_mean_less_by_themselves():
    """One share for all memories, by how many of them somebody says."""
    said = [stored(f"Ann: m{n}", degrees=0, minutes=9000 * n) for n in range(2)]
    told = [stored(f"m{n}", degrees=0, minutes=9000 * n) for n in range(5, 7)]
    assert row(Signal.DENSE, index_of(*told), "q") == pytest.approx([1, 1])
    assert row(Signal.DENSE, index_of(*said), "q") == pytest.approx([SPOKEN, SPOKEN])
    assert row(Signal.DENSE, index_of(*said, *told), "q") == pytest.approx([(1 + SPOKEN) / 2] * 4)


def test_dense_context_is_that_of_the_neighbours():
    """What was said just before and after, never one's own; half of each."""
    index = index_of(*[stored(f"m{n}", minutes=n, degrees=180 * (n != 1)) for n in range(4)])
    assert row(Signal.DENSE_CONTEXT, index, "q") == pytest.approx([0.5, 0, 0.5, 0], abs=1e-6)
    half = row(Signal.DENSE_CONTEXT, index, "q", neighbours=0.5)
    assert half == pytest.approx([0.25, 0, 0.25, 0], abs=1e-6)
    index.remove("m1")
    assert row(Signal.DENSE_CONTEXT, index, "q")[0] == 0


def test_words_are_found_in_a_memory_and_beside_it():
    """Most in the one that holds them, less beside it, nothing elsewhere or for another scope."""
    other = Scope(tenant="local", user_id="alice", agent_id="x")
    index = index_of(
        stored("we drank tea", minutes=0),
        stored("that was nice", minutes=1),
        stored("it rained", minutes=500),
        stored("so it was", other, minutes=1),
    )
    own, related, elsewhere, of_another = row(Signal.LEXICAL, index, "tea")
    assert own > related > 0
    assert elsewhere == of_another == 0
    less = row(Signal.LEXICAL, index, "tea", neighbours=0.5)
    assert 0 < less[1] < related
    assert row(Signal.LEXICAL, index, "tea", neighbours=0.0)[1] == 0


def test_coverage_is_of_a_memorys_own_words():
    """All words are 1, a rare word is a larger share than a common one, a neighbour's are none."""
    index = index_of(
        stored("green tea", minutes=0),
        stored("tea", minutes=1),
        stored("tea again", minutes=2),
        stored("nothing of it", minutes=3),
        stored("green", minutes=4),
    )
    coverage = found(index, "green tea").coverage
    assert coverage[0] == pytest.approx(1.0)
    assert 0 < coverage[1] == coverage[2] < 0.5 < coverage[4] < 1
    assert coverage[1] + coverage[4] == pytest.approx(1.0)
    assert coverage[3] == 0
    assert row(Signal.LEXICAL, index, "green tea")[3] > 0


def test_topic_is_what_the_session_speaks_of():
    """Also of a memory too far away in it to be a neighbour; another session has another topic."""
    index = index_of(
        stored("we drank tea", conversation="c", sequence=0),
        *[stored(f"and {n}", conversation="c", sequence=n) for n in range(1, 5)],
        stored("we slept", conversation="d"),
    )
    topic = row(Signal.TOPIC, index, "tea")
    assert topic[0] == topic[4] > 0
    assert topic[5] == 0
    assert row(Signal.LEXICAL, index, "tea")[4] == 0


@rows("query", ["What does Ann like?", "what does ann like?", "ANN"])
def test_who_speaks_is_found_by_name(query):
    """However it is written; who is mentioned counts less, the others nothing."""
    index = far_apart("Ann: I like tea", "Bob: I saw Ann", "Bob: me too")
    values = row(Signal.ENTITY, index, query)
    assert values[0] == 1
    assert values[1] in {MENTIONED, 0}
    assert values[2] == 0


def test_the_time_a_query_names():
    """1 for a memory of that time, less the further it is from it, at any clock."""
    index = index_of(
        *[stored(f"{days}", at=NOON - timedelta(days=days)) for days in (0, 1, 2, 30, 400)]
    )
    near = row(Signal.DATE, index, "what did I say yesterday?", now=NOON)
    assert near[1] == 1
    assert near[1] > near[2] > near[3] > near[4] > 0
    assert near[3] < 0.1
    later = row(Signal.DATE, index, "what did I say yesterday?", now=NOON + timedelta(days=1))
    assert later[0] == 1 > later[1]


def test_what_is_gone_leaves_no_trace():
    """The others have the signals they would have if it had never been there."""
    kept = [stored("Ann: we drank tea", minutes=0), stored("green tea", minutes=9000)]
    gone = [
        stored("tea " * 40, id="long", minutes=1, degrees=0),
        stored("Bob: green things", id="green", minutes=9001, degrees=10),
        stored("another session with tea", id="other", minutes=99000),
    ]
    index = index_of(kept[0], *gone, kept[1])
    for memory in gone:
        index.remove(memory.item.id)
    for query in ("green tea", "What tea did Bob drink?", "When did Ann drink?"):
        left, never = found(index, query), found(index_of(*kept), query)
        assert left.table[:, [0, 4]] == pytest.approx(never.table)
        assert left.coverage[[0, 4]] == pytest.approx(never.coverage)
        assert left.used == never.used


TEXTS = st.lists(
    st.text(st.sampled_from("ab .:\u00e9AB\n1"), max_size=12)
    | st.sampled_from(
        ["Ann: tea", "Bob met Ann", "tea in May 2023", "When?", "\U0001f600", "\u8336"]
    ),
    max_size=6,
)


@given(TEXTS, TEXTS.filter(bool), st.floats(0, 1), st.data())
def test_every_signal_is_on_its_scale(texts, wordings, neighbours, data):
    """Between 0 and 1 and finite, whatever is remembered and asked; one row for each."""
    index = UserIndex(2)
    for number, text in enumerate(texts):
        minutes = data.draw(st.integers(0, 90))
        degrees = data.draw(st.integers(0, 359))
        index.add(stored(text, ALICE, id=f"{number}", minutes=minutes, degrees=degrees))
    if texts and data.draw(st.booleans()):
        index.remove("0")
    got = found(index, *wordings, neighbours=neighbours)
    assert got.table.shape == (len(SIGNALS), len(index.entries))
    for values in (got.table, got.coverage):
        assert ((values >= 0) & (values <= 1 + 1e-9)).all()
    assert (np.abs(got.cosine) <= 1).all()
    for name, values in zip(SIGNALS, got.table, strict=True):
        assert name in got.used or not values.any()


def test_a_time_that_a_memory_tells_is_the_topic():
    """Whenever it was said; the time of saying then counts less. A month alone is no such time."""
    told = stored("the party is on 15 July", minutes=-200_000)
    said = stored("we went swimming", at=NOON.replace(month=7, day=15, year=2026))
    index = index_of(told, said)
    later = NOON.replace(year=2026, month=11)
    about, then = row(Signal.DATE, index, "what is planned for 15 July?", now=later)
    assert about == 1.0
    assert 0 < then < 0.5
    assert row(Signal.DATE, index_of(said), "what happened on 15 July?", now=later) == [1.0]
    assert row(Signal.DATE, index, "what happened in July?", now=later)[1] == 1.0


@rows(
    "speaker, query",
    [
        ("Catherine", "What did Katherine plant?"),
        ("Maria", "Что посадила Мария?"),
        ("Maria", "マリアは何を植えた？"),
        ("Catherine", "what did Catherine plant?"),
    ],
)
def test_a_name_matches_over_spelling_and_script(speaker, query):
    """If the memories do not know the spelling of the query."""
    index = far_apart(f"{speaker}: I planted roses", "Bob: I like tea")
    assert row(Signal.ENTITY, index, query) == [1.0, 0.0]
    assert found(index, query).coverage[0] > 0


def test_of_many_unknown_names_the_first_are_looked_for(monkeypatch):
    """A long text in a script without capitals costs no more than a short one."""
    asked = []
    monkeypatch.setattr(UserIndex, "person_like", lambda _, name: asked.append(name))
    letters = "\u0628\u062a\u062f\u0631\u0633\u0634\u0643\u0644"
    found(
        far_apart("Bob: I like tea"),
        " ".join(a + b + c for a in letters for b in letters for c in letters),
    )
    assert 0 < len(asked) <= MOST_RESPELLED


def test_a_spelling_that_the_memories_know_is_taken():
    """Two people with names alike are two."""
    known = far_apart("Catherine: I planted roses", "Katherine: I like tea")
    assert row(Signal.ENTITY, known, "What did Katherine plant?") == [0.0, 1.0]


ROWS = tables(__file__)


def speaks_of_user(query):
    return asking.speaks_of_user(query, language_of(query))


@rows("query", ROWS["the user is spoken of"])
def test_the_user_is_spoken_of(query):
    """By a pronoun of the first person of the query's own language."""
    assert speaks_of_user(query)


@rows("query", ROWS["the world is spoken of"])
def test_the_world_is_spoken_of(query):
    """A word that is a pronoun elsewhere, or a name here, says nothing about the user."""
    assert not speaks_of_user(query)


def asks_of_time(query):
    return analysed([query], np.zeros((1, 2), np.float32), set(), NOON).asks_of_time


@rows("query", ROWS["a time is asked about"])
def test_a_time_is_asked_about(query):
    """What was stored then bears on it, whatever its words are."""
    assert asks_of_time(query)


@rows("query", ROWS["a time is told of"])
def test_a_time_is_told_of(query):
    """Who tells of a day asks for nothing else of that day."""
    assert not asks_of_time(query)


def test_a_language_without_words_may_speak_of_the_user():
    """Nobody can tell, and the user's memories are asked rather than not."""
    assert speaks_of_user("რა ჰქვია ჩემს ძაღლს?")


def reference(counts, lengths, weights):
    """The formula of the paper, document by document and term by term."""
    average = sum(lengths) / len(lengths)
    scores = []
    for document, length in enumerate(lengths):
        score = 0.0
        for term, weight in enumerate(weights):
            count = counts[term][document]
            norm = K1 * (1 - B + B * length / average)
            score += weight * count * (K1 + 1) / (count + norm)
        scores.append(score)
    return scores


@st.composite
def tables(draw):
    terms, documents = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    counts = draw(arrays(np.float64, (terms, documents), elements=st.integers(0, 9).map(float)))
    rest = draw(arrays(np.float64, documents, elements=st.integers(1, 50).map(float)))
    weights = draw(arrays(np.float64, terms, elements=st.floats(0.01, 5)))
    return counts, counts.sum(axis=0) + rest, weights


@given(tables())
def test_it_is_the_textbooks(table):
    """The order and the relations of the formula, as a share of what a perfect match has."""
    counts, lengths, weights = table
    best = weights.sum() * (K1 + 1)
    expected = [min(score / best, 1.0) for score in reference(counts, lengths, weights)]
    assert bm25(counts, lengths, weights) == pytest.approx(expected)


def test_rare_terms_tell_more():
    """The textbook's idf with the assumed documents added; never negative, even for every one."""
    total = 4 + PRIOR_DOCUMENTS
    expected = [math.log(1 + (total - f + 0.5) / (f + 0.5)) for f in (0, 1, 4)]
    assert idf(np.array([0, 1, 4]), 4) == pytest.approx(expected)
    assert (idf(np.array([10**6]), 10**6) > 0).all()


def test_a_long_query_is_about_a_few_of_its_words():
    """The most telling ones are the measure: more words take nothing from a match."""
    weights = np.arange(1.0, 21.0)
    assert telling(weights) == sum(range(21 - TELLING, 21))
    assert telling(weights[:3]) == 6
    assert telling(np.empty(0)) == 0


BY_LANGUAGE = Calibration(
    recall=0.2, update=1.1, same=1.1, floor=0.3, ceiling=0.7, elsewhere=0.0,
    languages={"en": 1.0, "de": 0.5},
)  # fmt: skip
IN_ENGLISH = stored("The user has a dog and it is called Rex", degrees=60)
IN_GERMAN = stored("Der Hund des Benutzers heißt Rex und ist schon alt", degrees=60)
IN_CHINESE = stored("用户的狗叫雷克斯", degrees=0)
SHORT = stored("Rex Labrador", degrees=60)


def meant(language, *memories, calibration=BY_LANGUAGE):
    return meaning(index_of(*memories), angle(0)[None], language, calibration)


def test_a_cosine_is_worth_what_its_language_is():
    """The same cosine is less in one language, and nothing in an unknown one."""
    near = meant("en", IN_ENGLISH, IN_GERMAN, IN_CHINESE)
    assert near.cosine == pytest.approx([0.5, 0.5, 1.0], abs=1e-6)
    assert near.near == pytest.approx([9 / 14, 9 / 28, 0.0], abs=1e-6)
    assert near.worth.tolist() == [1.0, 0.5, 0.0]


def test_the_query_has_a_language_too():
    """Of the two, the one that the embedder knows less decides."""
    assert meant("de", IN_ENGLISH).worth.tolist() == [0.5]
    assert meant("zh", IN_ENGLISH, IN_GERMAN).worth.tolist() == [0.0, 0.0]


def test_a_text_too_short_to_tell_is_in_the_users_language():
    """The words "Rex Labrador" are of no language, but the other memories are English."""
    assert meant("und", SHORT, IN_ENGLISH).worth.tolist() == [1.0, 1.0]
    assert meant("de", SHORT).worth.tolist() == [0.5]
    assert meant("und", SHORT).worth.tolist() == [1.0]
