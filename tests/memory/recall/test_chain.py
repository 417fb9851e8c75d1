"""The earlier versions of what answers a question about a change."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import MemoryStatus
from recollect.memory.recall.beside import Beside
from recollect.memory.recall.chain import MOST_SHOWN, with_earlier
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import hit, item
from tests.memory.recall.test_driver import filled, recaller, texts


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


def test_only_beside_what_answers():
    """And each version once."""
    versions = [once("Berlin", matter="home")]
    assert shown([hit("home", 1.0, relevant=False)], versions) == {}
    grouped = [
        replace(one, item=replace(one.item, provenance=versions[0].provenance))
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
