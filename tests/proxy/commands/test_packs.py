"""`recollect packs`: check language files."""

import pytest

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
