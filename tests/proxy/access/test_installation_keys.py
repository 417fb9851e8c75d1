"""The keys that are the same at every start."""

from recollect.config import load_settings
from recollect.proxy.access.installation_keys import fence_of, seal_key
from tests.support.folding import rows


def tags(folder, **environ):
    values = {f"RECOLLECT_{name.upper()}": value for name, value in environ.items()}
    settings = load_settings(environ={"RECOLLECT_DATA_DIR": str(folder), **values})
    return fence_of(settings).around("- likes tea\n")


def test_the_fence_outlives_a_restart(tmp_path):
    """The key is kept in `data_dir`, so prompts stay in the upstream's cache."""
    assert tags(tmp_path) == tags(tmp_path)
    assert tags(tmp_path) != tags(tmp_path / "other")


@rows("kept", ["", "\n"])
def test_without_a_key_it_is_random(tmp_path, kept):
    """A folder that cannot keep one costs the cache, not the secret and not the start."""
    (tmp_path / "identity.key").write_text(kept)
    assert tags(tmp_path) != tags(tmp_path)


def settings(folder, **more):
    return load_settings(environ={"RECOLLECT_DATA_DIR": str(folder), **more})


def test_replicas_share_the_key_of_seals(tmp_path):
    """With the configured key it does not depend on the folder, and does not reveal that key."""
    shared = {"RECOLLECT_IDENTITY__HASH_KEY": "secret"}
    key = seal_key(settings(tmp_path / "a", **shared))
    assert key == seal_key(settings(tmp_path / "b", **shared))
    assert key is not None
    assert b"secret" not in key


def test_without_a_folder_there_are_no_seals(tmp_path):
    """Where no key can be stored there are no seals, and the start goes on."""
    (tmp_path / "file").write_text("")
    assert seal_key(settings(tmp_path / "file" / "below")) is None
