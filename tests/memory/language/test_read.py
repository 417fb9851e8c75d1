"""A pack's file, and what is said of a bad one."""

import pytest

from recollect.memory.language import PackError
from recollect.memory.language.read import read_file, read_pack

HEADER = 'code = "xx"\nname = "Example"\nscript = "latin"\n'


def refused(text):
    with pytest.raises(PackError) as error:
        read_pack(text, "xx.toml")
    return str(error.value)


def test_terms_stand_between_commas_and_line_ends():
    """Blanks around them do not count."""
    pack = read_pack(HEADER + "[words]\nstop = '''\na,  b\nc  d,\n'''\n", "xx.toml")
    assert pack.words.stop == ("a", "b", "c d")


def test_an_unknown_key_is_named_with_its_line():
    """And the known ones are listed."""
    said = refused(HEADER + "[words]\nstop = 'a'\nnonsense = 'b'\n")
    assert said.startswith("xx.toml:6: [words] has no 'nonsense'; it has stop, ")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    """Absent, or in another encoding."""
    with pytest.raises(PackError, match=r"^xx\.toml: cannot be read: No such file"):
        read_file(tmp_path / "xx.toml")
    (tmp_path / "xx.toml").write_bytes(b'code = "xx"\nname = "\xff"\n')
    with pytest.raises(PackError, match=r"^xx\.toml:2: expected UTF-8"):
        read_file(tmp_path / "xx.toml")
