"""`recollect packs`: check language files, begin a new one."""

import pytest

from recollect.memory.language.registry import SHIPPED
from recollect.proxy.cli import main

HEADER = 'code = "{}"\nname = "Example"\nscript = "latin"\n'


@pytest.fixture
def shown(capsys):
    """The lines of stdout and of stderr."""

    def both():
        captured = capsys.readouterr()
        return captured.out, captured.err

    return both


def test_check_names_every_bad_file(tmp_path, shown):
    """Each with its line; the good ones beside them are told too."""
    (tmp_path / "xx.toml").write_text(HEADER.format("xx") + "[words]\nstop = 'zzq'\n", "utf-8")
    (tmp_path / "yy.toml").write_text(HEADER.format("yy") + "[nonsense]\n", "utf-8")
    (tmp_path / "zz.toml").write_text("", "utf-8")
    assert main(["packs", "check", str(tmp_path), str(tmp_path / "absent.toml")]) == 1
    lines = shown()[0].splitlines()
    assert lines[0].startswith(f"{tmp_path}/xx.toml: Example, 1 terms: words 1, ")
    assert any(line.startswith("  missing: [words] ") for line in lines)
    assert lines[-3].startswith(f"{tmp_path}/yy.toml:4: unknown section 'nonsense'")
    assert lines[-2] == f"{tmp_path}/zz.toml: the file is empty"
    assert lines[-1].startswith(f"{tmp_path}/absent.toml: cannot be read: ")


def test_the_shipped_files_are_good(shown):
    """They are checked as themselves, not as additions."""
    assert main(["packs", "check", str(SHIPPED)]) == 0
    assert "adds to" not in shown()[0]


def test_new_writes_a_file_that_passes(tmp_path, shown):
    """Once; what is there is never overwritten."""
    call = ["packs", "new", "sw", "--name", "Swahili", "--folder", str(tmp_path / "own")]
    assert main(call) == 0
    path = tmp_path / "own" / "sw.toml"
    assert f"recollect packs check {path}" in shown()[1]
    text = path.read_text("utf-8")
    assert text.startswith("# Swahili. ")
    assert main(["packs", "check", str(path)]) == 0
    assert main(call) == 1
    assert "exists; nothing was changed" in shown()[1]
    assert path.read_text("utf-8") == text
