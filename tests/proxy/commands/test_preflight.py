"""Is the package that runs ours?"""

import pytest

from recollect.proxy.commands.preflight import collisions


def test_another_distribution_is_named():
    """The message names the package, who else has it, and what to do."""
    [line] = collisions(["recollect", "recollect-py", "recollect-py"])
    assert "`recollect`" in line
    assert line.count("recollect-py") == 1
    assert "make setup" in line


@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("top_level.txt", "recollect\n", True),
        ("RECORD", "other/__init__.py,,\nrecollect/__init__.py,sha256=x,1\n", True),
        ("RECORD", "recollect/__init__.py,sha256=x,1\n", True),
        ("top_level.txt", "config\nmemory\nproxy\n", False),
        ("RECORD", "recollections/__init__.py,,\nother/recollect/__init__.py,,\n", False),
    ],
)
def test_what_is_installed_tells_it(tmp_path, monkeypatch, file, content, named):
    """A distribution provides the package by what it lists; a like name elsewhere is nothing."""
    info = tmp_path / "recollect_py-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: recollect-py\nVersion: 1\n")
    (info / file).write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    assert bool(collisions()) is named
