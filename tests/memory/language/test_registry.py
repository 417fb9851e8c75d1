"""The packs in use."""

import pytest

from recollect.memory.language import (
    PackError,
    build_all,
    from_packs,
    packs,
    use_folder,
    using_folder,
)

PACK = 'code = "{}"\nname = "Example"\nscript = "latin"\n\n[words]\nstop = "zzq, zzr"\n'


@pytest.fixture(autouse=True)
def _shipped_again():
    yield
    use_folder(None)


@pytest.fixture
def folder(tmp_path):
    """A folder with a language of its own and more words for English."""
    for code in ("xx", "en"):
        (tmp_path / f"{code}.toml").write_text(PACK.format(code), "utf-8")
    return tmp_path


def test_a_folder_adds_a_language_and_adds_to_one(folder):
    """A file with the code of a shipped pack keeps that pack's words."""
    before = packs()["en"]
    use_folder(folder)
    assert packs()["xx"].words.stop == ("zzq", "zzr")
    assert packs()["en"].words.stop == (*before.words.stop, "zzq", "zzr")
    assert packs()["en"].script == before.script


def test_a_refused_folder_changes_nothing(folder, tmp_path):
    """Never half a language: the good file beside the bad one is not used either."""
    (folder / "yy.toml").write_text(PACK.format("yy") + "nonsense = 1\n", "utf-8")
    before = packs()
    with pytest.raises(PackError, match=r"yy\.toml:7: "):
        use_folder(folder)
    assert packs() == before
    with pytest.raises(PackError, match="there is no such folder"):
        use_folder(tmp_path / "absent")
    assert packs() == before


def test_a_table_is_built_once_and_again_for_other_packs(folder):
    """What is built from packs follows them."""
    built = []

    @from_packs
    def table():
        built.append(len(packs()))
        return built[-1]

    build_all()
    shipped = table()
    use_folder(folder)
    use_folder(folder)
    assert table() == shipped + 1
    assert len(built) == 2


def test_another_folder_is_refused_meanwhile(folder):
    """Words of one could not be found by those of the other; afterwards it is welcome."""
    with using_folder(folder):
        with using_folder(folder):
            pass
        with pytest.raises(PackError, match=f"already uses, which is {folder}"), using_folder(None):
            pass
        assert "xx" in packs()
    with using_folder(None):
        assert "xx" not in packs()
        with pytest.raises(PackError, match="already uses, which is none"), using_folder(folder):
            pass


def test_files_are_read_again(folder):
    """A folder whose files changed is another language."""
    use_folder(folder)
    (folder / "xx.toml").write_text(PACK.format("xx").replace("zzr", "zzs"), "utf-8")
    use_folder(folder)
    assert packs()["xx"].words.stop == ("zzq", "zzs")
