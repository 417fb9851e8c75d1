"""What is vendored is what was pinned."""

import json

import pytest

from tools.vendor_frontend import LOCK, PACKAGES, check


def test_another_tarball_is_refused():
    """A registry cannot replace a version."""
    with pytest.raises(ValueError, match="expected sha512-"):
        check(b"something else", PACKAGES[0].integrity)


def test_the_lock_has_the_pinned_packages():
    """A new pin without a new run of the tool is noticed."""
    locked = [
        (each["package"], each["version"], each["integrity"])
        for each in json.loads(LOCK.read_text())
    ]
    assert locked == [(each.name, each.version, each.integrity) for each in PACKAGES]
