"""An export here and an import elsewhere, and the other way round, on every surface."""

import json

from tests.surfaces.all import told_on

MOVING = ("add", "update", "get_all", "export_file", "import_file")


@told_on(*MOVING)
def test_exported_and_imported_elsewhere(surface, tmp_path):
    """Memories, versions and metadata arrive under new ids; a second import adds nothing."""
    file = tmp_path / "memories.jsonl"
    [name, _] = surface.add("Likes tea", "Owns a boat")
    surface.add("Likes milk", user_id="bob")
    surface.run("update", memory_id=name, text="Likes coffee")
    surface.run("export_file", path=file, user_id="alice")
    assert "Likes milk" not in file.read_text("utf-8")
    other = surface.elsewhere()
    other.run("import_file", path=file, user_id="alice")
    assert sorted(other.texts()) == ["Likes coffee", "Owns a boat"]
    assert other.texts(status="superseded") == ["Likes tea"]
    before = other.run("get_all", user_id="alice")
    other.run("import_file", path=file, user_id="alice")
    assert other.run("get_all", user_id="alice") == before


@told_on(*MOVING)
def test_an_import_writes_for_nobody_else(surface, tmp_path):
    """What is alice's becomes nobody else's; a file without vectors is embedded again."""
    file = tmp_path / "memories.jsonl"
    surface.add("Likes tea")
    surface.run("export_file", path=file, user_id="alice", vectors=False)
    assert '"vector"' not in file.read_text("utf-8")
    refused = surface.refused("import_file", path=file, user_id="carol")
    assert "somebody else's" in refused.text
    assert surface.texts(user_id="carol") == []
    other = surface.elsewhere()
    other.run("import_file", path=file, user_id="alice")
    found = other.run("search", query="Likes tea", user_id="alice")["results"]
    assert [one["memory"] for one in found] == ["Likes tea"]


@told_on(*MOVING)
def test_a_file_that_is_damaged_is_refused(surface, tmp_path):
    """The line is named, and nothing of another tenant's is touched; with `on_error` the rest is taken."""
    file = tmp_path / "memories.jsonl"
    surface.add("Likes tea", "Owns a boat")
    surface.run("export_file", path=file, user_id="alice")
    lines = file.read_text("utf-8").splitlines()
    broken = json.loads(lines[1])
    del broken["memory"]["text"]
    file.write_text("\n".join([lines[0], json.dumps(broken), *lines[2:], ""]), "utf-8")
    other = surface.elsewhere()
    assert "line 2" in other.refused("import_file", path=file, user_id="alice").text
    assert len(other.texts()) < 2
