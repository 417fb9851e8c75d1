"""What a message is shown beside what answers it: newer statements, the fill, earlier versions."""

from dataclasses import replace
from datetime import timedelta

import numpy as np

from recollect.memory.model.types import MemoryStatus, StoredMemory
from recollect.memory.recall.beside import (
    BEST,
    MOST_FILL,
    MOST_SHOWN,
    NEAREST,
    Beside,
    later,
    lines_beside,
    with_earlier,
)
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, hit, index_of, item, stored
from tests.memory.recall.test_ranking import CALIBRATION, ranking
from tests.memory.recall.test_recaller import filled, recaller, texts
from tests.support.folding import rows


def names(index, positions):
    return [index.entries[at].item.id for at in positions]


def after(index, position=0, *, least=0.5, most=NEAREST):
    every = np.ones(len(index.entries), bool)
    [near] = index.vectors.alike([position])
    return names(index, later(index, position, near, every, least=least, most=most))


def test_only_what_was_said_later():
    """Nothing is newer than the newest, and what was said at the same time is not newer."""
    index = index_of(
        stored("old", degrees=0, minutes=1),
        stored("first", degrees=0, minutes=0),
        stored("twin", degrees=0, minutes=1),
        stored("new", degrees=0, minutes=2),
    )
    assert after(index) == ["new"]
    assert after(index, 3) == []


def test_the_newest_of_a_group_is_first_however_far():
    """It is known to be of the same matter; the older ones of the group are left out."""

    def grouped(text, *, degrees, minutes):
        made = item(text, minutes=minutes)
        of_home = replace(made.provenance, matter="home")
        return StoredMemory(replace(made, provenance=of_home), angle(degrees))

    index = index_of(
        grouped("Berlin", degrees=0, minutes=0),
        grouped("Rome", degrees=0, minutes=1),
        grouped("Lyon", degrees=90, minutes=2),
        stored("near", degrees=5, minutes=3),
    )
    assert after(index) == ["Lyon", "near"]


def test_what_the_query_may_not_see_is_not_newer():
    """Not even as the newest of a group."""
    index = index_of(stored("old", degrees=0), stored("theirs", degrees=0, minutes=1))
    seen = np.array([True, False])
    assert later(index, 0, index.vectors.alike([0])[0], seen, least=0.0) == []


MINE = "What do I have?"


def found(index, query=MINE, *, private=(), evident=(), fill=True):
    def is_private(positions):
        return np.array([index.entries[at].item.id in private for at in positions], bool)

    return lines_beside(
        index,
        ranking(index, query, evidence=0),
        CALIBRATION,
        lambda ats: tuple(hit(index.entries[at].item.id, 0.0, position=at) for at in ats),
        is_private,
        [at for at, entry in enumerate(index.entries) if entry.item.id in evident],
        fill=fill,
    )


def names_beside(hits):
    return [one.item.id for one in hits]


def test_a_later_statement_that_is_near_comes_with_the_earlier_one():
    """And nothing that was said before it, or is far from it."""
    index = index_of(
        stored("Berlin", degrees=10, minutes=1),
        stored("before", degrees=10, minutes=0),
        stored("Lyon", degrees=20, minutes=2),
        stored("far", degrees=100, minutes=3),
    )
    assert names_beside(found(index).later["Berlin"]) == ["Lyon"]


def test_the_fill_is_for_whoever_speaks_of_themselves():
    """An impersonal message gets none, nor does one of a user who wants none."""
    index = index_of(*[stored(f"m{d}", degrees=d, minutes=d) for d in (10, 40, 80)])
    assert sorted(names_beside(found(index).fill)) == ["m10", "m40", "m80"]
    assert found(index, "Why is grass green?").fill == ()
    assert found(index, fill=False).fill == ()


@rows("evident, shown", [((), False), (("debt",), True)])
def test_what_is_private_fills_nothing_unless_it_is_evidence(evident, shown):
    """Nobody wants it brought up without need."""
    index = index_of(stored("job", degrees=10, minutes=0), stored("debt", degrees=80, minutes=1))
    lines = found(index, private=("debt",), evident=evident)
    assert ("debt" in names_beside(lines.fill)) is shown


def test_of_many_memories_only_so_many_fill():
    """And only the best hits are asked for what is later."""
    index = index_of(*[stored(f"m{n}", degrees=n % 60, minutes=n) for n in range(3 * MOST_FILL)])
    lines = found(index)
    assert len(lines.fill) == MOST_FILL == len(set(names_beside(lines.fill)))
    assert len(lines.later) <= BEST


def once(text, *, minutes=0, **origin):
    made = item(text, minutes=minutes, status=MemoryStatus.SUPERSEDED)
    return replace(made, provenance=replace(made.provenance, **origin))


def shown(hits, earlier):
    found = with_earlier(Beside(), hits, earlier)
    return {name: [one.item.id for one in lines] for name, lines in found.later.items()}


def test_a_version_is_found_by_its_matter_and_by_its_successor():
    """Newest first, and none of another matter."""
    versions = [
        once("Berlin", minutes=1, matter="Lyon"),
        once("Rome", minutes=2, superseded_by="Lyon"),
        once("tea", matter="coffee"),
    ]
    assert shown([hit("Lyon", 1.0), hit("dog", 0.5)], versions) == {"Lyon": ["Rome", "Berlin"]}


def test_an_earlier_text_of_a_summary_is_not_what_was_before():
    """What it was made of says what was so."""
    versions = [once("Rome", superseded_by="Lyon"), once("Berlin and Rome", superseded_by="Lyon")]
    origin = replace(versions[1].provenance, cites=("Rome",))
    versions[1] = replace(versions[1], provenance=origin)
    assert shown([hit("Lyon", 1.0)], versions) == {"Lyon": ["Rome"]}


def test_only_beside_what_answers():
    """And each version once."""
    versions = [once("Berlin", matter="home")]
    assert shown([hit("home", 1.0, relevant=False)], versions) == {}
    grouped = [
        one._replace(item=replace(one.item, provenance=versions[0].provenance))
        for one in (hit("Lyon", 1.0), hit("Paris", 0.9))
    ]
    assert shown(grouped, versions) == {"Lyon": ["Berlin"]}


def test_a_thousand_changes_are_not_the_answer():
    """The last few are."""
    versions = [once(str(n), minutes=n, matter="home") for n in range(1000)]
    assert len(shown([hit("home", 1.0)], versions)["home"]) == MOST_SHOWN


def test_a_line_is_of_the_time_when_it_became_true():
    """A deleted memory's row has the time of its end."""
    ended = replace(once("Berlin", matter="home"), valid_from=NOON - timedelta(days=9))
    [line] = with_earlier(Beside(), [hit("home", 1.0)], [ended]).later["home"]
    assert line.item.updated_at == NOON - timedelta(days=9)
    assert line.role == "earlier"


async def test_a_question_about_a_change_reaches_what_was_before():
    """The whole chain of a matter, with each end; any other question gets the newest alone."""
    homes = [
        item("User lived in Rome", minutes=1, status=MemoryStatus.SUPERSEDED),
        item("User lived in Berlin", minutes=2, status=MemoryStatus.SUPERSEDED),
        item("User lived in Lyon", minutes=3),
    ]
    homes = [
        replace(home, provenance=replace(home.provenance, matter="User lived in Rome"))
        for home in homes
    ]
    found = recaller(await filled(*homes))
    await found.prepare()
    asked = texts(await found.recall(ALICE, "Where did I live before?"))
    assert sorted(asked) == sorted(home.text for home in homes)
    assert texts(await found.recall(ALICE, "Where do I live?")) == ["User lived in Lyon"]
