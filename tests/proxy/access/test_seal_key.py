"""The key of the seals is the installation's, at every start."""

from recollect.config import load_settings
from recollect.proxy.access.seal_key import seal_key


def settings(folder, **more):
    return load_settings(environ={"RECOLLECT_DATA_DIR": str(folder), **more})


def test_it_stays(tmp_path):
    """Two starts have one key, two installations have two."""
    here, there = tmp_path / "here", tmp_path / "there"
    assert seal_key(settings(here)) == seal_key(settings(here))
    assert seal_key(settings(here)) != seal_key(settings(there))


def test_replicas_share_it(tmp_path):
    """With the configured key it does not depend on the folder, and does not reveal that key."""
    shared = {"RECOLLECT_IDENTITY__HASH_KEY": "secret"}
    key = seal_key(settings(tmp_path / "a", **shared))
    assert key == seal_key(settings(tmp_path / "b", **shared))
    assert key is not None
    assert b"secret" not in key


def test_no_folder(tmp_path):
    """Where no key can be stored there are no seals, and the start goes on."""
    (tmp_path / "file").write_text("")
    assert seal_key(settings(tmp_path / "file" / "below")) is None
