"""Upkeep by call: a dry run, the run, and its undo, on every surface."""

from tests.surfaces.all import told_on

ALICE = {"user_id": "alice"}
UPKEEP = ("add", "get_all", "upkeep.run", "upkeep.list", "upkeep.get", "upkeep.undo")


@told_on(*UPKEEP)
def test_from_a_dry_run_to_its_undo(surface):
    """Planned, run, listed, read with its texts, taken back once, and not a second time."""
    run = {"kind": "consolidate", **ALICE}
    assert surface.run("upkeep.run", **run)["results"] == []
    surface.add("Likes tea", "likes TEA")
    [planned] = surface.run("upkeep.run", dry_run=True, **run)["results"]
    assert (planned["state"], len(planned["changes"])) == ("planned", 1)
    assert surface.run("upkeep.list", **ALICE)["results"] == []
    assert len(surface.texts()) == 2
    [done] = surface.run("upkeep.run", **run)["results"]
    assert (done["state"], done["kind"], done["reason"]) == ("done", "consolidate", "call")
    assert done["changes"] == planned["changes"]
    assert done["changes"][0]["event"] == "DELETE"
    assert len(surface.texts()) == 1
    [listed] = surface.run("upkeep.list", kind="consolidate", **ALICE)["results"]
    assert (listed["id"], listed["changes"][0]["event"]) == (done["id"], "DELETE")
    assert surface.run("upkeep.list", kind="reflect", **ALICE)["results"] == []
    assert surface.run("upkeep.get", name=done["id"]) == done
    first, second = (surface.run("upkeep.undo", name=done["id"]) for _ in range(2))
    assert [(one["undone"], one["already"]) for one in (first, second)] == [(1, False), (0, True)]
    assert sorted(surface.texts()) == ["Likes tea", "likes TEA"]
    assert surface.run("upkeep.get", name=done["id"])["undone_at"] == first["run"]["undone_at"]


@told_on(*UPKEEP)
def test_a_run_of_somebody_else_is_not_there(surface):
    """Neither to read nor to take back; nor is one that never was."""
    surface.add("Likes tea", "likes TEA")
    [done] = surface.run("upkeep.run", kind="consolidate", **ALICE)["results"]
    for name, door in (("consolidate:x", surface), (done["id"], surface.elsewhere())):
        assert door.run("upkeep.list", **ALICE)["results"] == [] or door is surface
        for operation in ("upkeep.get", "upkeep.undo"):
            refused = door.refused(operation, name=name)
            assert (refused.kind, refused.text) == ("not_found", f"there is no run {name!r}")
    assert len(surface.texts()) == 1
