"""The fence's secret."""

import pytest

from recollect.config import load_settings
from recollect.proxy.access.fence import fence_of


def tags(folder, **environ):
    values = {f"RECOLLECT_{name.upper()}": value for name, value in environ.items()}
    settings = load_settings(environ={"RECOLLECT_DATA_DIR": str(folder), **values})
    return fence_of(settings).around("- likes tea\n")


def test_it_outlives_a_restart(tmp_path):
    """The key is kept in `data_dir`, so prompts stay in the upstream's cache."""
    assert tags(tmp_path) == tags(tmp_path)
    assert tags(tmp_path) != tags(tmp_path / "other")


def test_replicas_with_one_hash_key_have_one_fence(tmp_path):
    """Whatever their folders hold."""
    assert tags(tmp_path, identity__hash_key="k") == tags(tmp_path / "b", identity__hash_key="k")
    assert tags(tmp_path, identity__hash_key="k") != tags(tmp_path, identity__hash_key="l")


@pytest.mark.parametrize("kept", ["", "\n"])
def test_without_a_key_it_is_random(tmp_path, kept):
    """A folder that cannot keep one costs the cache, not the secret and not the start."""
    (tmp_path / "identity.key").write_text(kept)
    assert tags(tmp_path) != tags(tmp_path)
