"""What was replaced is nowhere but as old, and what was forgotten is nowhere at all."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing

import pytest

from recollect.memory.api.portal import Portal
from tests.support.postgres_server import empty_database
from tests.support.waiting import HANG_SECONDS
from tests.surfaces.place import a_place
from tests.surfaces.walks import (
    ALICE,
    ASKED,
    BOAT,
    QUIET,
    STAYS,
    SURFACES,
    WHERE,
    Life,
    files_with,
    following,
    unmarked,
)

ALL = SURFACES | QUIET
NEW = "Wexliborine"


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.process)]
)
def shared_place(request):
    """A product with everything in files or on a server, that shortens long conversations."""
    with ExitStack() as stack:
        url = None
        if request.param == "postgres":
            portal = stack.enter_context(closing(Portal()))
            database = empty_database(request.getfixturevalue("postgres"))
            url = portal.call(database.__aenter__())
            stack.callback(lambda: portal.call(database.__aexit__(None, None, None)))
        yield stack.enter_context(a_place(database__url=url, recall__compress__after_tokens=200))


@pytest.fixture(scope="module")
def lived(shared_place, tmp_path_factory):
    """Lives that end in some way, each made once, and what each surface showed before."""
    known = {}

    def after(way, *, episode=False):
        if (way, episode) not in known:
            end, name = ENDS[way]
            name += "ese" if episode else ""
            folder = tmp_path_factory.mktemp("export")
            life = Life(shared_place, name, folder, episode=episode or way in FORGOTTEN)
            life.begin()
            before = {surface: str(walk(life)) for surface, walk in ALL.items()}
            end(life)
            life.settle()
            known[way, episode] = life, before
        life, before = known[way, episode]
        shared_place.model.replies = [life._reply]
        return life, before

    return after


def update(life):
    life.rest.run("update", memory_id=life.memory["id"], text=f"User is allergic to {NEW}")


def invalidate(life):
    life.rest.run("invalidate", memory_id=life.memory["id"], reason="it was hay fever", **ALICE)


def imported_again(life):
    """An older export, after the text was replaced."""
    update(life)
    life.rest.run("import_file", path=life.export, **ALICE)


def forget_id(life):
    receipt = life.rest.run("forget", memory_id=life.memory["id"], **ALICE)
    assert receipt["verified"]


def forget_query(life):
    proposal = life.rest.ask("forget", {"query": life.name, **ALICE})
    receipt = life.rest.ask("forget", {"confirm": proposal["confirm"], **ALICE})
    assert receipt["verified"]


def forget_by_chat(life):
    asked = f"Please forget that I am allergic to {life.name}."
    life.answer = f"I found: you are allergic to {life.name}. Shall I forget it?"
    life.chat(asked, session="third")
    said, life.answer = life.answer, "It is forgotten."
    life.chat(asked, said, "yes, forget it", session="third")
    # It goes on beside the answer, once the model server has taken the request.
    life.place.call(life.place.engine.spoken.close(HANG_SECONDS))
    assert [one for one in life.listed() if one["id"] == life.memory["id"]] == []


def forget_all(life):
    life.rest.ask("forget", {"all": True, **ALICE})


def import_after_forgetting(life):
    forget_id(life)
    life.rest.run("import_file", path=life.export, **ALICE)


def resent_after_forgetting(life):
    """A client has the conversation still, goes on with it, and it is learned from."""
    forget_id(life)
    life.chat(life.told, "I see.", "Thank you, that is all for today.", session="first")
    life.rest.ask("flush", dict(ALICE))


ENDS = {
    "updated": (update, "Zorblattix"),
    "invalidated": (invalidate, "Morvendalk"),
    "updated and imported": (imported_again, "Ulquenast"),
    "forgotten by id": (forget_id, "Quendroskine"),
    "forgotten by query": (forget_query, "Vrelmontuva"),
    "forgotten by chat": (forget_by_chat, "Jaxpondrim"),
    "everything forgotten": (forget_all, "Yxaphondra"),
    "forgotten and imported": (import_after_forgetting, "Krolvumept"),
    "forgotten and sent again": (resent_after_forgetting, "Fribzanquol"),
}
"""What happens to the memory, and the name that nothing else has."""
REPLACED = ["updated", "invalidated", "updated and imported"]
FORGOTTEN = [way for way in ENDS if way not in REPLACED]


@pytest.mark.parametrize("surface", ALL)
def test_what_was_replaced_is_shown_as_old_or_not_at_all(lived, surface):
    """No surface tells it as if it still were so, however it was replaced."""
    for way in REPLACED:
        life, before = lived(way)
        assert surface in QUIET or "episode" in surface or life.name in before[surface], way
        assert list(unmarked(ALL[surface](life), life.name)) == [], way


@pytest.mark.parametrize("surface", ALL)
def test_what_was_forgotten_is_nowhere(lived, surface):
    """Whoever asks, by whatever way it was forgotten, and whatever came in afterwards."""
    for way in FORGOTTEN:
        life, before = lived(way)
        assert surface in QUIET or life.name in before[surface], way
        assert life.name.lower() not in str(ALL[surface](life)).lower(), way


def test_no_file_has_what_was_forgotten(lived, shared_place):
    """Nor has any piece of the file of a task."""
    for way in FORGOTTEN:
        assert files_with(shared_place.folder, lived(way)[0].name) == [], way


@pytest.mark.parametrize("way", [way for way in FORGOTTEN if way != "everything forgotten"])
def test_what_was_not_meant_stays(lived, way):
    """The other memory, what the user asked, and what a model said of something else."""
    life, _ = lived(way)
    assert BOAT in [one["memory"] for one in life.listed()]
    found = life.rest.run("conversations.search", query=f"{ASKED} {WHERE}", **ALICE)["results"]
    # Who names an episode means the turns that it tells of.
    stays = {WHERE, STAYS} if way == "forgotten by query" else {ASKED, WHERE, STAYS}
    assert stays <= {one["text"] for one in found}


@pytest.mark.parametrize(
    "end", [update, invalidate, forget_id, forget_query, resent_after_forgetting]
)
def test_streams_tell_the_end_and_nothing_more(shared_place, tmp_path, end):
    """Changes as they are made, and chats as they end: what is forgotten in neither.

    What is replaced is told as what was so before.
    """
    replaced, name = end in {update, invalidate}, end.__name__.replace("_", "")
    life = Life(shared_place, f"Strom{name}", tmp_path, episode=not replaced)
    life.begin()
    with following(life, "events") as events:
        end(life)
        life.rest.add("User likes the last of all")
        changes = events("the last of all")
    life.settle()
    life.chat(ASKED)
    with following(life, "live") as live:
        chats = live(QUIET["recent chats"](life)["exchanges"][0]["id"])
    told = [json.loads(line) for line in (changes + chats).splitlines() if line]
    if replaced:
        assert list(unmarked(told, life.name)) == []
    else:
        assert life.name.lower() not in str(told).lower()


def test_an_episode_of_what_was_never_true_is_not_told(lived):
    """Of a memory that somebody called untrue, an episode still tells a chat."""
    life, _ = lived("invalidated", episode=True)
    assert life.name not in ALL["chat"](life)


def test_a_working_block_has_no_forgotten_name(shared_place, tmp_path):
    """Forgetting by a query looks at memories and at what was said, and at no block."""
    life = Life(shared_place, "Obrennithal", tmp_path)
    life.begin()
    life.rest.run("blocks.define", label="plan", value=f"Avoid {life.name}.", **ALICE)
    forget_query(life)
    assert life.name not in str(life.rest.run("blocks.list", **ALICE))
