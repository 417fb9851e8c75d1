"""Turns a message into a self-contained query, with key terms of earlier messages. Pure."""

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.rewrite import RewriteOptions
from recollect.filters.rewrite.terms import MAX_QUERY_CHARS, key_terms, rewrite, self_contained
from recollect.memory.model.types import Message
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

TERMS = RewriteOptions()


def chat(*turns):
    """Messages from (role, text) pairs; a bare text is the user's."""
    pairs = [turn if isinstance(turn, tuple) else ("user", turn) for turn in turns]
    return [Message(role=role, content=content) for role, content in pairs]


@rows("query", ROWS["a query that names its subject is self contained"])
def test_a_query_that_names_its_subject_is_self_contained(query):
    """It is searched for as it is."""
    assert self_contained(query)
    assert rewrite(chat("The kettle is broken.", query), TERMS) == query


@rows("query", ROWS["a query that points elsewhere is not"])
def test_a_query_that_points_elsewhere_is_not(query):
    """Pronouns without a noun, follow-ups and bare question words need what was said before."""
    assert not self_contained(query)


def test_key_terms_of_earlier_user_messages_come_first():
    """Content words in the order they were said, the query as it is at the end."""
    query = rewrite(
        chat("Planning a trip to Madeira", "Levada walks look steep", "how much?"), TERMS
    )
    assert query == "Planning trip Madeira Levada walks look steep how much?"


def test_only_the_last_messages_count():
    """Those of three earlier messages."""
    talk = chat("Teapots", "Ladders", "Radios", "Violins", "what about those?")
    assert rewrite(talk, TERMS) == "Ladders Radios Violins what about those?"


def test_an_answer_that_is_pointed_into_lends_its_terms():
    """Which "those" are means what the assistant listed."""
    talk = chat(
        "Name two lakes.", ("assistant", "Windermere and Ullswater."), "which of those is deeper?"
    )
    assert rewrite(talk, TERMS) == "two lakes Windermere Ullswater which of those is deeper?"


def test_instructions_of_the_application_lend_nothing():
    """System and developer messages are not about the user."""
    talk = chat(
        "Teapots", ("system", "Always be pelican."), ("developer", "No zebra."), "and those?"
    )
    assert rewrite(talk, TERMS) == "Teapots and those?"


def test_names_and_numbers_are_kept_before_other_words(monkeypatch):
    """With room for a few terms only, the telling ones stay, in their order."""
    talk = chat("we probably visited lovely Lisbon with friendly Ramon around 1998", "who else?")
    monkeypatch.setattr("recollect.filters.rewrite.terms.MAX_TERMS", 3)
    assert rewrite(talk, TERMS) == "Lisbon Ramon 1998 who else?"


def test_a_term_is_said_once():
    """Neither twice nor if the query holds it already."""
    assert [term.text for term in key_terms("Rosa likes tea, TEA and Rosa")] == [
        "Rosa",
        "likes",
        "tea",
    ]
    assert rewrite(chat("Tea or juice?", "why not tea?"), TERMS) == "juice why not tea?"


def test_scripts_without_blanks_give_runs():
    """Function characters separate the terms."""
    query = rewrite(chat("下个月要去厦门", "订了吗？"), TERMS)
    assert "厦门" in query
    assert query.endswith("订了吗？")


def test_without_a_strategy_the_message_is_only_tidied():
    """`none` never looks back."""
    assert (
        rewrite(chat("Teapots", " and\n those? "), RewriteOptions(strategy="none")) == "and those?"
    )


@rows("messages", [[], chat(("assistant", "Hello")), chat("   ")])
def test_nothing_to_search_for_is_an_empty_query(messages):
    """No user message, or a blank one."""
    assert rewrite(messages, TERMS) == ""


def test_the_ends_of_a_long_message_are_kept():
    """Questions stand at the beginning or the end."""
    text = "Which boat? " + "filler " * 200_000 + "Reply with its name."
    query = rewrite(chat(text), TERMS)
    assert query.startswith("Which boat?")
    assert query.endswith("Reply with its name.")
    assert len(query) <= MAX_QUERY_CHARS


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text()), max_size=5),
    st.integers(16, 60),
)
def test_any_conversation_gives_a_bounded_query(turns, limit):
    """Whatever is said, the query is a string within its bound."""
    with patch("recollect.filters.rewrite.terms.MAX_QUERY_CHARS", limit):
        query = rewrite(chat(*turns), TERMS)
    assert isinstance(query, str)
    assert len(query) <= limit
