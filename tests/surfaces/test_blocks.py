"""Working blocks, told once and run on every surface."""

from tests.surfaces.all import told_on

ALICE = {"user_id": "alice"}
EDITS = ("blocks.append", "blocks.replace", "blocks.rewrite")


@told_on("blocks.define", "blocks.get", "blocks.history", "blocks.delete", "blocks.compile", *EDITS)
def test_a_block_is_defined_written_read_and_erased(surface):
    """Each edit is a version, the prompt has the last one, and an erased block has none."""
    made = surface.run("blocks.define", label="plan", description="next", limit=50, **ALICE)
    assert (made["value"], made["version"], made["rights"]) == ("", 1, "write")
    surface.run("blocks.append", label="plan", text="buy tea", **ALICE)
    surface.run("blocks.append", label="plan", text="call Bob", **ALICE)
    now = surface.run("blocks.replace", label="plan", old="tea", new="coffee", version=3, **ALICE)
    assert now["value"] == "buy coffee\ncall Bob"
    assert "- buy coffee\n" in surface.run("blocks.compile", **ALICE)
    emptied = surface.run("blocks.rewrite", label="plan", value="", **ALICE)
    assert (emptied["version"], emptied["tokens"]) == (5, 0)
    kept = surface.run("blocks.history", label="plan", **ALICE)["results"]
    assert [one["version"] for one in kept] == [5, 4, 3, 2, 1]
    again = surface.run("blocks.define", label="plan", limit=60, value="not taken", **ALICE)
    assert (again["limit"], again["value"], again["description"]) == (60, "", "next")
    surface.run("blocks.delete", label="plan", **ALICE)
    assert surface.refused("blocks.get", label="plan", **ALICE).kind == "not_found"
    assert surface.run("blocks.compile", **ALICE).strip() == ""


@told_on("blocks.list", "blocks.get", *EDITS)
def test_a_block_is_edited(surface):
    """Whoever may write it appends, replaces and rewrites; of others there is none."""
    surface.place.call(surface.place.memory(surface.tenant).blocks.define("plan", **ALICE))
    surface.run("blocks.append", label="plan", text="Bob has tea", **ALICE)
    refused = surface.refused("blocks.append", label="plan", text="late", version=1, **ALICE)
    assert "at version 2, not 1" in refused.text
    surface.run("blocks.replace", label="plan", old="tea", new="coffee", **ALICE)
    assert surface.run("blocks.get", label="plan", **ALICE)["value"] == "Bob has coffee"
    surface.run("blocks.rewrite", label="plan", value="Bob rests", version=3, **ALICE)
    [listed] = surface.run("blocks.list", **ALICE)["results"]
    assert (listed["label"], listed["value"], listed["version"]) == ("plan", "Bob rests", 4)
    assert surface.refused("blocks.get", label="plan", user_id="bob").kind == "not_found"
    refused = surface.refused("blocks.rewrite", label="plan", value="x", user_id="bob")
    assert refused.kind == "not_found"


@told_on("blocks.define", "blocks.list", "blocks.attach", "blocks.detach", "blocks.append")
def test_a_block_is_attached_until_it_is_detached(surface):
    """To read or to write, and never to erase or to pass on."""
    shared, bob = {"label": "team", "to": {"user_id": "bob"}, **ALICE}, {"user_id": "bob"}
    surface.run("blocks.define", label="team", value="monday", **ALICE)
    surface.run("blocks.attach", **shared)
    [seen] = surface.run("blocks.list", **bob)["results"]
    assert (seen["value"], seen["rights"], seen["shared"]) == ("monday", "read", True)
    refused = surface.refused("blocks.append", label="team", text="tuesday", **bob)
    assert (refused.kind, refused.field) == ("forbidden", "label")
    surface.run("blocks.attach", rights="write", **shared)
    surface.run("blocks.append", label="team", text="tuesday", **bob)
    [own] = surface.run("blocks.list", **ALICE)["results"]
    assert (own["value"], own["author"]) == ("monday\ntuesday", "shared")
    assert surface.refused("blocks.delete", label="team", **bob).kind == "not_found"
    surface.run("blocks.detach", **shared)
    assert surface.run("blocks.list", **bob)["results"] == []
    assert "is not attached" in surface.refused("blocks.detach", **shared).text
    told = surface.run("blocks.metadata", **ALICE)
    assert (told["blocks"], told["shared"], told["complete"]) == (1, 0, True)


@told_on("add", "blocks.compile")
def test_the_whole_text_of_a_chat(surface):
    """With a message it has what the chat recalls, without one only what any chat is given."""
    surface.place.call(
        surface.place.memory(surface.tenant).blocks.define("plan", value="Buy tea", **ALICE)
    )
    surface.add("Likes green tea from Uji", "Owns a boat")
    asked = {"message": "Which green tea do I like? 100% & / #?", **ALICE}
    whole = surface.run("blocks.compile", **asked)
    assert "- Buy tea\n" in whole
    assert "Likes green tea from Uji" in whole
    assert "boat" not in whole
    always = surface.run("blocks.compile", **ALICE)
    assert "- Buy tea\n" in always
    assert "Uji" not in always
    assert surface.run("blocks.compile", **asked) == whole
    nobody = surface.run("blocks.compile", **(asked | {"user_id": "bob"}))
    assert nobody.strip() == ""
