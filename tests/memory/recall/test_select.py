"""What is worth its tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.recall import Drop, RecallOptions, Shown
from recollect.memory.recall.select import MOST_REFUSED, select
from tests.memory.recall.memories import hit


def chosen(hits, **rules):
    """Names of the chosen, and of the dropped with the reason."""
    selection = selected(hits, **rules)
    names = [found.item.id for found in selection.chosen]
    return names, [(found.item.id, drop) for found, drop in selection.dropped]


def selected(
    hits,
    *,
    limit=10,
    token_budget=1000,
    cut=0.0,
    gap=1.0,
    same=lambda one, other: False,
    show=lambda item: Shown("", item.text),
    count_tokens=lambda _: 1,
):
    return select(
        hits,
        RecallOptions(limit=limit, cut=cut, gap=gap),
        token_budget=token_budget,
        same=same,
        show=show,
        count_tokens=count_tokens,
        seen=len(hits),
    )


def test_nothing():
    """No hits, no selection."""
    assert chosen([]) == ([], [])


def test_what_is_not_relevant_is_out_whatever_its_score():
    """The best score of all is worth nothing without a signal that passes."""
    hits = [hit("a", 0.9, relevant=False), hit("b", 0.2), hit("c", 0.1, relevant=False)]
    assert chosen(hits) == (["b"], [("a", Drop.THRESHOLD), ("c", Drop.THRESHOLD)])


def test_what_is_not_relevant_is_not_what_others_are_measured_by():
    """The cut and the gap begin at the best one that was chosen."""
    hits = [hit("a", 0.9, relevant=False), hit("b", 0.2), hit("c", 0.15)]
    assert chosen(hits, cut=0.5, gap=0.5)[0] == ["b", "c"]


def test_the_cut_is_a_share_of_the_best():
    """At that share a memory is in, below it everything is out."""
    hits = [hit("a", 0.8), hit("b", 0.6), hit("c", 0.4), hit("d", 0.39), hit("e", 0.38)]
    assert chosen(hits, cut=0.5) == (["a", "b", "c"], [("d", Drop.CUT), ("e", Drop.CUT)])


def test_a_gap_ends_it():
    """What follows a clear gap is out, however close together it lies."""
    hits = [hit("a", 0.8), hit("b", 0.7), hit("c", 0.3), hit("d", 0.3)]
    assert chosen(hits, gap=0.5) == (["a", "b"], [("c", Drop.CUT), ("d", Drop.CUT)])


def test_small_steps_are_no_gap():
    """Many steps that are each small may lead as far down as one that is not."""
    hits = [hit(name, 0.8 * 0.8**step) for step, name in enumerate("abcdef")]
    assert chosen(hits, gap=0.25)[0] == list("abcdef")


def test_no_cut_and_no_gap():
    """0 and 1 switch them off, even for scores of zero."""
    hits = [hit("a", 1.0), hit("b", 0.001), hit("c", 0.0)]
    assert chosen(hits, cut=0.0, gap=1.0) == (["a", "b", "c"], [])


def test_of_two_that_say_the_same_the_better_one_stays():
    """A duplicate is dropped and leaves its place and its tokens to the next."""

    def same(one, other):
        return one.item.text[0] == other.item.text[0]

    hits = [hit("tea", 0.9), hit("tee", 0.8), hit("coffee", 0.7)]
    assert chosen(hits, same=same, limit=2) == (["tea", "coffee"], [("tee", Drop.DUPLICATE)])


def test_what_was_left_out_makes_nothing_a_duplicate():
    """A memory that is not shown cannot stand for another one."""
    cost = {"tea": 9, "tee": 1}
    hits = [hit("tea", 0.9), hit("tee", 0.8)]
    assert chosen(
        hits, same=lambda *_: True, token_budget=5, count_tokens=lambda text: cost[text]
    ) == (["tee"], [("tea", Drop.BUDGET)])


def test_limit():
    """The best ones fill the limit."""
    hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7)]
    assert chosen(hits, limit=2) == (["a", "b"], [("c", Drop.LIMIT)])


def test_budget_skips_what_is_too_long():
    """A hit that does not fit is left out; a later, shorter one may still fit, exactly."""
    cost = {"a": 6, "b": 5, "c": 4}
    assert chosen(
        [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7)],
        token_budget=10,
        count_tokens=lambda text: cost[text],
    ) == (["a", "c"], [("b", Drop.BUDGET)])


def test_only_what_may_be_chosen_is_counted():
    """Tokens are not counted for hits that are out anyway."""
    counted = []
    hits = [hit("a", 0.9), hit("b", 0.8), hit("c", 0.7, relevant=False), hit("d", 0.1)]
    chosen(hits, limit=1, cut=0.5, count_tokens=lambda text: counted.append(text) or 1)
    assert counted == ["a"]


def test_a_spent_budget_is_not_asked_for_ever():
    """After so many that were too long the rest is not counted, for each count costs time."""
    counted = []
    hits = [hit(f"{number}", 0.9) for number in range(MOST_REFUSED + 5)]
    names, dropped = chosen(
        hits, token_budget=1, count_tokens=lambda text: counted.append(text) or 2
    )
    assert names == []
    assert [drop for _, drop in dropped] == [Drop.BUDGET] * len(hits)
    assert len(counted) == MOST_REFUSED


@pytest.mark.parametrize("budget", [0, -5])
def test_no_budget(budget):
    """Without tokens left nothing is chosen."""
    assert chosen([hit("a", 0.9)], token_budget=budget) == ([], [("a", Drop.BUDGET)])


def test_a_heading_is_paid_once():
    """Memories under one heading share its price; one under another pays its own."""
    selection = selected(
        [hit("a1", 0.9), hit("a2", 0.8), hit("b1", 0.7)],
        show=lambda item: Shown(f"heading {item.text[0]}", item.text),
        count_tokens=lambda text: 10 if text.startswith("heading") else 1,
    )
    assert (len(selection.chosen), selection.tokens) == (3, 23)


def test_a_heading_that_was_not_afforded_is_not_paid():
    """What did not fit has bought nothing: the next under that heading still pays for it."""
    cost = {"h": 4, "long": 20, "short": 3}
    selection = selected(
        [hit("long", 0.9), hit("short", 0.8)],
        token_budget=10,
        show=lambda item: Shown("h", item.text),
        count_tokens=lambda text: cost[text],
    )
    assert [found.item.id for found in selection.chosen] == ["short"]
    assert selection.tokens == 7


HITS = st.lists(
    st.tuples(
        st.floats(0, 1), st.booleans(), st.integers(0, 12), st.sampled_from(["", "x", "y", "zz"])
    ),
    max_size=20,
)


@given(
    HITS,
    st.integers(1, 10),
    st.integers(-3, 40),
    st.floats(0, 1),
    st.floats(0.01, 1),
    st.integers(0, 5),
)
def test_every_bound_holds_and_nothing_is_lost(drawn, limit, budget, cut, gap, alike):
    """Never more than the limit or the budget; each memory is chosen or has a reason; in order."""
    drawn.sort(key=lambda one: -one[0])
    hits = [
        hit(f"{heading}/{tokens}/{number}", score, relevant=relevant)
        for number, (score, relevant, tokens, heading) in enumerate(drawn)
    ]
    price = {"x": 2, "y": 5, "zz": 7}

    def show(item):
        heading, tokens, _ = item.text.split("/")
        return Shown(heading, tokens)

    selection = selected(
        hits,
        limit=limit,
        token_budget=budget,
        cut=cut,
        gap=gap,
        show=show,
        same=lambda one, other: alike and one.item.text[0] == other.item.text[0],
        count_tokens=lambda text: price[text] if text in price else int(text),
    )
    shown = [show(found.item) for found in selection.chosen]
    tokens = sum(int(line) for _, line in shown)
    tokens += sum(price[heading] for heading in {heading for heading, _ in shown if heading})
    assert selection.tokens == tokens <= max(budget, 0)
    assert len(selection.chosen) <= limit
    assert all(found.relevant for found in selection.chosen)
    out = [found for found, _ in selection.dropped]
    assert sorted(hits, key=id) == sorted([*selection.chosen, *out], key=id)
    places = {id(found): place for place, found in enumerate(hits)}
    for part in (selection.chosen, out):
        assert [places[id(found)] for found in part] == sorted(places[id(found)] for found in part)
