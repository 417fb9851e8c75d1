"""The graph: what entities are, what an addition is compared with, and the way to other databases."""

import os
import stat

import pytest

from recollect.memory import Memory
from recollect.memory.transfer import files
from tests.support.scripted import facts
from tests.surfaces.all import told_on
from tests.surfaces.rest import Rest

ALICE = {"user_id": "alice"}
FACT = "User learns Rust, a systems language, from Anna Berg"
SAID = "I am learning Rust, a systems language, from Anna Berg"


def learned(surface, text=FACT, said=SAID):
    """What a model found in a fact is told with it."""
    entities = [
        {"name": "Rust", "type": "technology", "aliases": [], "description": "a systems language"},
        {"name": "Anna Berg", "type": "person", "aliases": [], "description": "a famous pianist"},
    ]
    relations = [{"source": "user", "relation": "learns", "target": "Rust"}]
    claimed = {"quote": said, "entities": entities, "relations": relations}
    surface.place.says(facts(text, more={text: claimed}))
    surface.run("add", messages=said, infer=True, **ALICE)


@told_on("add", "graph.entities")
def test_entities_have_kinds_and_descriptions_that_a_model_found(surface):
    """In the memory's words; what it does not say is left out, and no model means no guess."""
    learned(surface)
    found = {one["name"]: one for one in surface.run("graph.entities", **ALICE)["results"]}
    assert found["Rust"]["type"] == "technology"
    assert found["Rust"]["description"] == "a systems language"
    assert (found["Anna Berg"]["type"], found["Anna Berg"]["description"]) == ("person", None)
    only = surface.run("graph.entities", type="technology", **ALICE)["results"]
    assert [one["name"] for one in only] == ["Rust"]
    surface.add("Bob programs in Rust at night", user_id="bob")
    plain = {one["name"]: one for one in surface.run("graph.entities", user_id="bob")["results"]}
    assert (plain["Rust"]["type"], plain["Rust"]["description"]) == (None, None)


@told_on("add", "get_all")
def test_an_addition_is_compared_with_what_passes_its_filters(surface):
    """Beside those a fact that is known elsewhere is new; without filters it is known."""
    surface.add("User likes tea", metadata={"tag": "work"})
    surface.place.says(facts("User likes tea"))

    def event(filters):
        asked = {"messages": "I like tea", "infer": True, "metadata": {"tag": "home"}, **ALICE}
        asked |= {"filters": filters} if filters else {}
        [done] = surface.run("add", **asked)["results"]
        return done["event"]

    assert event({"tag": "work"}) == "NONE"
    assert event({"AND": [{"tag": "home"}]}) == "ADD"
    assert event(None) == "NONE"
    assert surface.texts() == ["User likes tea"] * 2


@told_on("add", "graph.export_file")
def test_the_graph_is_a_file_for_another_database(surface, tmp_path):
    """Whole, for its owner's eyes alone; done again it replaces one's own."""
    learned(surface)
    path = tmp_path / "graph.cypher"
    for _ in range(2):
        surface.run("graph.export_file", path=str(path), **ALICE)
    text = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]
    assert text.startswith("//")
    assert 'e.name = "Rust", e.type = "technology", e.description = "a systems language"' in text
    assert 'MERGE (s)-[r:RELATES_TO {type: "learns", memory_id: ' in text


def test_pages_of_the_graph_make_the_whole(place):
    """Over REST: each can be run by itself, in any order; without ids it is the whole tenant's."""
    surface = Rest(place, place.tenant())
    learned(surface)
    whole = surface.run("graph.export", **ALICE)
    assert (whole["entities"], whole["relations"], whole["more"]) == (3, 1, False)
    pages = [surface.run("graph.export", limit=1, offset=at, **ALICE) for at in range(3)]
    assert [page["more"] for page in pages] == [True, True, False]
    lines = [line for page in pages for line in page["cypher"].splitlines()]
    assert sorted(lines) == sorted(whole["cypher"].splitlines())
    surface.add("User met Carla Berg", user_id="bob")
    assert surface.run("graph.export")["entities"] == 4


@pytest.fixture
def memory():
    options = {"embedder": {"backend": "fake"}, "graph": {"enabled": True}}
    with Memory(options) as memory:
        memory.add("User met Anna Berg in Oslo", infer=False, **ALICE)
        yield memory


def test_a_file_of_somebody_else_stays_as_it_is(memory, tmp_path, monkeypatch):
    """Nor is anything written through a link of theirs, or in the place of what is no file."""
    theirs, pipe = tmp_path / "theirs", tmp_path / "pipe"
    theirs.write_text("precious")
    os.mkfifo(pipe)
    leads = tmp_path / "leads"
    leads.symlink_to(pipe)
    for place in (pipe, leads, tmp_path):
        with pytest.raises(PermissionError, match="no file"):
            memory.graph.export_file(place, **ALICE)
    leads.unlink()
    folder, link, over = tmp_path / "folder", tmp_path / "link", tmp_path / "over"
    folder.mkdir()
    link.symlink_to(folder)
    over.symlink_to("link")
    memory.graph.export_file(over / "mine", **ALICE)
    monkeypatch.setattr(files.os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setattr(files, "ADMINISTRATOR", os.getuid() + 2)
    with pytest.raises(PermissionError, match="belongs to another user"):
        memory.graph.export_file(theirs, **ALICE)
    for way in (link, over):
        with pytest.raises(PermissionError, match="is a link of another user"):
            memory.graph.export_file(way / "new", **ALICE)
    assert theirs.read_text() == "precious"
    assert [each.name for each in folder.iterdir()] == ["mine"]
    assert len([*tmp_path.iterdir()]) == 5


def test_a_link_of_ones_own_is_replaced_and_not_followed(memory, tmp_path):
    """What it points at stays as it is."""
    other, link = tmp_path / "other", tmp_path / "link"
    other.write_text("precious")
    link.symlink_to(other)
    memory.graph.export_file(link, **ALICE)
    assert (other.read_text(), link.is_symlink()) == ("precious", False)
