"""What an extract says within its budget."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.compress.digest import MOST_TRIED, chosen, heading, lines_of
from recollect.filters.compress.parts import OldTurn, step_of

DAY, NEXT = date(2026, 3, 1), date(2026, 3, 2)


def step(*turns):
    return step_of([OldTurn(str(n), *turn) for n, turn in enumerate(turns)], len)


def texts(steps, budget):
    return [one.text for one in chosen(steps, budget, len)]


def test_what_is_said_twice_stands_once():
    """The second one adds no word."""
    read = step(("I moved to Lisbon.", "Yes.", DAY), ("I moved to Lisbon.", "Yes.", NEXT))
    assert texts([read], 500).count("I moved to Lisbon.") == 1


def test_statements_of_the_user_come_first():
    """Before the same words of the assistant, and before a question."""
    read = step(
        ("Does the boat leave Porto?", "The ferry leaves Braga.", DAY),
        ("The train leaves Lisbon.", "Fine.", DAY),
    )
    assert texts([read], 45) == ["The train leaves Lisbon."]


def test_the_order_is_that_of_the_conversation():
    """Whatever was chosen first, under a heading for each day; neighbours share a line."""
    long = " ".join(
        f"Garden bed {n} grows vegetable{n} and flower{n} near fence{n}." for n in range(6)
    )
    read = step((long, "Well.", DAY), ("My cat Tom sleeps.", "Good.", NEXT))
    told = lines_of(chosen([read], 5000, len))
    assert told.index("bed 0") < told.index("bed 5") < told.index("Tom")
    assert told.startswith(heading(DAY))
    assert told.count(heading(NEXT)) == 1
    assert told.count("\n- Garden") == 1
    assert lines_of(chosen([read], 5000, len), after=DAY) == told.removeprefix(heading(DAY))


WORDS = st.lists(
    st.sampled_from(["cat", "dog", "fig", "sea", "sun", "7", "Kim"]), min_size=1, max_size=12
)
TURN = st.tuples(WORDS.map(" ".join), WORDS.map(" ".join), st.sampled_from([DAY, NEXT, None]))


@given(st.lists(TURN, max_size=12), st.integers(0, 300))
def test_an_extract_never_exceeds_its_budget(turns, budget):
    """Headings included; and the same turns always give the same text."""
    read = step(*turns)
    told = lines_of(chosen([read], budget, len))
    assert len(told) <= budget
    assert told == lines_of(chosen([step(*turns)], budget, len))


def test_of_many_pieces_the_best_are_weighed():
    """A conversation of thousands of turns costs no more than its best pieces."""
    plain = [(f"Remark {n} about it.", "Yes.", DAY) for n in range(500)]
    telling = ("The zebra Quentin ate marmalade near Oslo.", "Yes.", DAY)
    read = step(*plain[:250], telling, *plain[250:])
    assert "The zebra Quentin ate marmalade near Oslo." in texts([read], 200)
    assert len(chosen([read], 100_000, len)) <= MOST_TRIED


def test_what_a_model_told_of_a_stretch_comes_first():
    """In its place among the turns, without the day that it begins with."""
    told = "2026-03-01: User moved to Lisbon with Tom the cat. User looks for a flat in Alfama."
    long = "So I finally moved to Lisbon, and with me came Tom, my cat, and we look for a flat."
    read = step_of([OldTurn("a", long, "Fine.", DAY), OldTurn("b", "Yes.", "Ok.", DAY, told)], len)
    found = chosen([read], len(heading(DAY)) + 95, len)
    assert [one.text for one in found] == [
        "User moved to Lisbon with Tom the cat.",
        "User looks for a flat in Alfama.",
    ]
    assert lines_of(found).count("\n") == 2
    gone = [OldTurn("b", "Yes.", "Ok.", None, told)]
    assert chosen([step_of(gone, len)], 500, len) == []
