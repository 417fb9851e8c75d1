"""Selects what a message is shown of what was found, within the bounds of a recall. Pure."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import index_terms
from recollect.memory.model.types import Provenance, Source, utc_now
from recollect.memory.recall import RecallOptions, Shown
from recollect.memory.recall.excerpt import KEPT_CHARS, SKIPPED, excerpt
from recollect.memory.recall.profile import Pinned, pinned_for
from recollect.memory.recall.ranking import Expansion, Ranking
from recollect.memory.recall.related_lines import RelatedLines
from recollect.memory.recall.retrieval import RetrievedLines
from recollect.memory.recall.selection import (
    MOST_REFUSED,
    NO_WISH,
    Drop,
    choose,
    is_said,
    replaced,
    select,
)
from tests.memory.recall.memories import hit, signals_of
from tests.memory.recall.test_profile import ALICE, FACTS, ON, index_of
from tests.support.constants import recalling
from tests.support.folding import rows

FILLER = "The weather was fine and nothing else happened on that long day. "
TOLD = "The kitchen tap drips since Tuesday."
LONG = FILLER * 9 + TOLD + " " + FILLER * 9


def test_the_sentences_with_the_words_of_the_query_are_kept():
    """In their order, with a sign where others are left out."""
    shown = excerpt(LONG, index_terms("kitchen tap").terms)
    assert TOLD in shown
    assert len(shown) < len(LONG) / 2
    assert SKIPPED in shown
    assert shown.endswith(SKIPPED)


def test_without_words_in_common_it_begins_as_the_text():
    """Nothing tells which sentence matters: the first ones do as well as any."""
    assert excerpt(LONG, ("zebra",)).startswith(FILLER.strip())


@rows("text", ["word " * 2000, "x" * 50_000, "好" * 3000, "\n" * 5000 + "end"])
def test_any_long_text_becomes_short(text):
    """Also one without sentences or blanks, and a megabyte."""
    assert len(excerpt(text, ("word",))) <= KEPT_CHARS + 2 * len(SKIPPED) + 2


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=300), max_size=30))
def test_every_piece_is_of_the_text(pieces):
    """Nothing is made up, whatever the text is."""
    text = ". ".join(pieces)
    shown = excerpt(text, ("a",))
    for part in shown.replace(SKIPPED, "\0").split("\0"):
        for word in part.split():
            assert word in text or SKIPPED in text


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
    same=lambda one, other: False,
    show=lambda item: Shown("", item.text),
    count_tokens=lambda _: 1,
):
    return select(
        hits,
        recalling(limit=limit),
        token_budget=token_budget,
        same=same,
        show=show,
        count_tokens=count_tokens,
        seen=len(hits),
    )


ABC = (("a", 0.9), ("b", 0.8), ("c", 0.7))


@rows(
    "scores, far, rules, names, dropped",
    [
        ((), "", {}, "", {}),
        (ABC, "", {"limit": 2}, "ab", {"c": Drop.LIMIT}),
        (ABC, "", {"token_budget": 0}, "", dict.fromkeys("abc", Drop.BUDGET)),
        (ABC, "", {"token_budget": -5}, "", dict.fromkeys("abc", Drop.BUDGET)),
        # What is not relevant is out whatever its score.
        ((("a", 0.9), ("b", 0.2), ("c", 0.15)), "ac", {}, "b", dict.fromkeys("ac", Drop.THRESHOLD)),
        # However far a relevant one is behind the best, it bears on the message.
        ((("a", 1.0), ("b", 0.001), ("c", 0.0)), "", {}, "abc", {}),
        # A hit that does not fit is left out; a later, shorter one may still fit, exactly.
        (ABC, "", {"token_budget": 10, "count_tokens": {"a": 6, "b": 5, "c": 4}.get}, "ac",
         {"b": Drop.BUDGET}),
    ],
)  # fmt: skip
def test_each_bound_drops_what_it_says(scores, far, rules, names, dropped):
    """Nothing else; each dropped hit has the reason for it."""
    found = chosen([hit(name, score, relevant=name not in far) for name, score in scores], **rules)
    assert found == (list(names), list(dropped.items()))


def test_of_two_that_say_the_same_the_better_one_stays():
    """A duplicate is dropped and leaves its place and its tokens to the next."""

    def same(one, other):
        return one.item.text[0] == other.item.text[0]

    hits = [hit("tea", 0.9), hit("tee", 0.8), hit("coffee", 0.7)]
    assert chosen(hits, same=same, limit=2) == (["tea", "coffee"], [("tee", Drop.DUPLICATE)])


def test_a_spent_budget_is_not_asked_for_ever():
    """After so many that were too long the rest is not counted, for each count costs time."""
    counted = []
    hits = [hit(f"{number}", 0.9) for number in range(MOST_REFUSED + 5)]
    names, dropped = chosen(
        hits, token_budget=1, count_tokens=lambda text: counted.append(text) or 2
    )
    assert (names, {drop for _, drop in dropped}) == ([], {Drop.BUDGET})
    assert (len(dropped), len(counted)) == (len(hits), MOST_REFUSED)


def test_what_was_left_out_makes_nothing_a_duplicate():
    """A memory that is not shown cannot stand for another one."""
    cost = {"tea": 9, "tee": 1}
    hits = [hit("tea", 0.9), hit("tee", 0.8)]
    assert chosen(
        hits, same=lambda *_: True, token_budget=5, count_tokens=lambda text: cost[text]
    ) == (["tee"], [("tea", Drop.BUDGET)])


HITS = st.lists(
    st.tuples(
        st.floats(0, 1), st.booleans(), st.integers(0, 12), st.sampled_from(["", "x", "y", "zz"])
    ),
    max_size=20,
)


@given(HITS, st.integers(1, 10), st.integers(-3, 40), st.integers(0, 5))
def test_every_bound_holds_and_nothing_is_lost(drawn, limit, budget, alike):
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


def hits():
    return pinned_for(index_of(*FACTS), ALICE, "Who am I?", ON, now=utc_now()).chosen


def test_a_memory_takes_the_place_of_what_was_said():
    """Never both in one injection, if the memory is relevant."""
    memory, said, *_ = hits()
    memory = memory._replace(item=replace(memory.item, provenance=Provenance(turn_ids=("t",))))
    own = Provenance(source=Source.SAID, turn_ids=("t",))
    said = said._replace(item=replace(said.item, provenance=own))
    assert is_said(said.item)
    assert replaced([memory, said], ()) == {said.item.id: Drop.REMEMBERED}
    assert replaced([memory._replace(relevant=False), said], ()) == {}


def test_the_episode_of_a_short_talk_is_not_shown_beside_what_it_tells():
    """Neither beside a fact nor beside a passage of its turns; without them, and a long one, is."""
    episode, fact, *_ = hits()
    own = Provenance(turn_ids=("t", "u"), stretch="t")
    episode = episode._replace(item=replace(episode.item, provenance=own))
    dropped = {episode.item.id: Drop.REMEMBERED}
    for source in (Source.EXTRACTION, Source.SAID):
        told = Provenance(source=source, turn_ids=("u",))
        related = fact._replace(item=replace(fact.item, provenance=told))
        assert replaced([episode, related], ()) == dropped
        assert replaced([episode, related._replace(relevant=False)], ()) == {}
        many = replace(own, turn_ids=tuple("tuvw"))
        long = episode._replace(item=replace(episode.item, provenance=many))
        assert replaced([long, related], ()) == {}
    assert replaced([episode, fact], ()) == {}


def test_an_episode_hides_nothing_that_was_said():
    """A passage is shown beside the episode of its turn: that tells not all of it."""
    episode, said, *_ = hits()
    many = Provenance(turn_ids=tuple("tuvw"), stretch="t")
    episode = episode._replace(item=replace(episode.item, provenance=many))
    own = Provenance(source=Source.SAID, turn_ids=("t",))
    said = said._replace(item=replace(said.item, provenance=own))
    assert replaced([episode, said], ()) == {}


def found_of(*hits, **parts):
    ranking = Ranking(
        ranked=hits, seen=len(hits), evidence=1.0, same=lambda one, other: False,
        personal=True, terms=frozenset(), signals=signals_of(),
        scores=np.zeros(1),
    )  # fmt: skip
    return RetrievedLines(ranking, **parts)


def chosen_of(found, visible=frozenset(), **options):
    selection = choose(
        found, RecallOptions(**options), reserve_tokens=0, visible=visible,
        show=lambda item: Shown("", item.text), count_tokens=lambda _: 1,
    )  # fmt: skip
    return [one.item.id for one in selection.chosen], [
        (one.item.id, why) for one, why in selection.dropped
    ]


LYON = RelatedLines({"Berlin": (hit("Lyon", 0.0),)})
DEBTS = RelatedLines({"dog": (hit("debts", 0.0)._replace(role="later"),)})
DOG = hit("dog", 0.8)


def only(name):
    return frozenset({name})


@rows(
    "found, names, dropped",
    [
        # Whatever the budget is, the older statement is never alone.
        (found_of(hit("Berlin", 0.9), related=LYON), ["Lyon", "Berlin"], []),
        # Nothing pads what is left of the budget; without a hit, nothing newer of it is shown.
        (found_of(hit("answer", 0.9), hit("far", 0.8, relevant=False)), ["answer"],
         [("far", Drop.THRESHOLD)]),
        (found_of(hit("Berlin", 0.9, relevant=False), related=LYON), [],
         [("Berlin", Drop.THRESHOLD)]),
        # What is private must be evidence itself, or stand beside what is.
        (found_of(hit("debts", 0.9), DOG, private=only("debts")), ["dog"], [("debts", Drop.PRIVATE)]),
        (found_of(DOG, related=DEBTS, private=only("debts")), ["debts", "dog"], []),
        # Neither for its score nor for its role.
        (found_of(hit("a", 0.9), pinned=Pinned((hit("wish", 0.0),)),
                  contradicted=frozenset({"a", "wish"})), [], [("a", Drop.CONTRADICTED)]),
        (found_of(hit("leak", 0.9), DOG, unsafe=only("leak")), ["dog"], [("leak", Drop.UNSAFE)]),
    ],
)  # fmt: skip
def test_what_is_shown_and_what_is_not(found, names, dropped):
    """Newer before older; nothing that pads, is private, contradicted or unsafe."""
    assert chosen_of(found) == (names, dropped)


def test_what_the_conversation_says_itself_is_not_told_again():
    """If all of it is said there."""
    told = hit("a", 0.9)
    said = replace(told.item, provenance=replace(told.item.provenance, turn_ids=("1", "2")))
    found = found_of(told._replace(item=said))
    assert chosen_of(found, visible=frozenset({"1", "2"})) == ([], [("a", Drop.VISIBLE)])
    assert chosen_of(found, visible=frozenset({"1"}))[0] == ["a"]


def test_an_instruction_that_nobody_validated_is_marked():
    """Whoever reads it is told that it is no wish."""
    found = found_of(hit("obey", 0.9), hit("dog", 0.8), unfit=frozenset({"obey"}))
    selection = choose(
        found, RecallOptions(), reserve_tokens=0, visible=frozenset(),
        show=lambda item: Shown("", item.text), count_tokens=lambda _: 1,
    )  # fmt: skip
    flags = {one.item.id: one.item.provenance.flags for one in selection.chosen}
    assert flags == {"obey": (NO_WISH,), "dog": ()}


SCORES = st.lists(st.tuples(st.floats(0.05, 1.0), st.floats(-1.0, 1.0)), min_size=1, max_size=12)


def judged_of(told):
    """The hits in the order that feedback gives them, each with its part of the score."""
    hits = [
        hit(f"m{at}", score, position=at)._replace(
            score=score * (1 + 0.1 * rating), feedback=score * 0.1 * rating
        )
        for at, (score, rating) in enumerate(told)
    ]
    return sorted(hits, key=lambda one: -one.score)


def plain_of(told):
    hits = [hit(f"m{at}", score, position=at) for at, (score, _) in enumerate(told)]
    return sorted(hits, key=lambda one: -one.score)


@given(SCORES)
def test_feedback_takes_nothing_out_of_recall_and_lets_nothing_in(told):
    """What is shown, where the limit leaves room, is what is shown without any feedback."""
    judged = found_of(*judged_of(told))
    shown, _ = chosen_of(judged, limit=50)
    expected, _ = chosen_of(found_of(*plain_of(told)), limit=50)
    assert set(shown) == set(expected)
    order = [one.item.id for one in judged_of(told)]
    assert shown == sorted(shown, key=order.index)


def expanded(name, score, seed, *, alone=True):
    """A hit to which the one with the id `seed` leads."""
    return hit(name, score)._replace(step=Expansion(seed, "Eskil", "", 1.0, alone=alone))


def shown_of(*ranked, budget=100, **options):
    """The ids of what is chosen, and why the others are not."""
    found = select(
        ranked, recalling(**options), token_budget=budget, same=lambda *_: False,
        show=lambda item: Shown("", item.text), count_tokens=lambda text: len(text.split()),
        seen=len(ranked),
    )  # fmt: skip
    return [one.item.id for one in found.chosen], {one.item.id: why for one, why in found.dropped}


def test_without_the_hit_that_leads_to_it_nothing_is_shown():
    """It answers nothing alone."""
    ranked = hit("other", 0.9), expanded("advice", 0.8, "met")
    assert shown_of(*ranked) == (["other"], {"advice": Drop.THRESHOLD})


def test_what_is_led_to_leads_on():
    """Each is shown with what leads to it; what only a hit that is not shown leads to is not."""
    ranked = hit("met", 0.9), expanded("advice", 0.08, "met"), expanded("more", 0.05, "advice")
    assert shown_of(*ranked) == (["met", "advice", "more"], {})
    assert shown_of(*ranked, limit=1) == (
        ["met"], {"advice": Drop.LIMIT, "more": Drop.THRESHOLD}
    )  # fmt: skip
