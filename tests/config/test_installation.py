"""The secret of an installation."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from recollect.config.installation import KEY_FILE, installation_key


def test_it_is_made_once(tmp_path):
    """Every later call reads it; only its owner may."""
    folder = tmp_path / "data"
    key = installation_key(folder)
    assert len(key) == 64
    assert installation_key(folder) == key
    assert (folder / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert [each.name for each in folder.iterdir()] == [KEY_FILE]


def test_all_who_start_at_once_get_the_same(tmp_path):
    """The first that is complete wins."""
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(installation_key, [tmp_path] * 32))) == 1


def test_a_folder_that_may_only_be_read_gives_its_key(tmp_path):
    """Nothing is written when there is one."""
    key = installation_key(tmp_path)
    tmp_path.chmod(0o500)
    assert installation_key(tmp_path) == key
    tmp_path.chmod(0o700)


def test_an_empty_key_is_refused(tmp_path):
    """It would be everybody's."""
    (tmp_path / KEY_FILE).write_text("\n")
    with pytest.raises(ValueError, match="is empty"):
        installation_key(tmp_path)
