"""The secret of an installation."""

from concurrent.futures import ThreadPoolExecutor

from recollect.config.installation import installation_key


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
