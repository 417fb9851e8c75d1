"""What `recollect check` says of callers."""

from recollect.config import load_settings
from recollect.proxy.commands.callers import check_callers
from recollect.proxy.commands.findings import found_by


def settings(folder, **more):
    return load_settings(environ={}, flags={"data_dir": str(folder), **more})


async def test_a_damaged_file_of_tokens_is_named(tmp_path):
    """With what to do about it."""
    (tmp_path / "tokens.json").write_text("{")
    found = await found_by("callers", check_callers, settings(tmp_path))
    assert not found.ok
    assert "tokens.json" in found.seen
    assert "recollect tokens create" in found.mend
