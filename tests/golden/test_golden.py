"""What a user sees of every surface is what the files here say."""

from difflib import unified_diff

import pytest

from tests.surfaces.place import a_place

from .write import FILES, FOLDER


@pytest.fixture(scope="module")
def place():
    with a_place() as place:
        yield place


@pytest.mark.parametrize("name", FILES)
def test_what_a_user_sees_did_not_change(place, name):
    """Unless the file of the surface is written anew, where a reader sees what changed."""
    old, new = (FOLDER / name).read_text("utf-8"), FILES[name](place).rstrip()
    lines = list(unified_diff(old.splitlines(), new.splitlines(), name, "now", n=1, lineterm=""))
    accept = f"if that is meant (a line in CHANGELOG.md): python -m tests.golden.write {name}"
    assert not lines, "\n".join(["", *lines[:60], *["..."] * (len(lines) > 60), accept])
