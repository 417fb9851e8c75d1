"""Ids that were given out."""

import pytest

from recollect.memory import NotFoundError
from recollect.memory.model.owner import Owner
from recollect.proxy.api.mem0.issued import Issued


def test_what_ids_stand_for_is_bounded():
    """However large the filters of each are, and however many are asked for."""
    issued = Issued("export")
    keys = [issued.put(Owner("acme"), "x" * 2**20) for _ in range(40)]
    assert issued.get(Owner("acme"), keys[-1]) == "x" * 2**20
    with pytest.raises(NotFoundError):
        issued.get(Owner("acme"), keys[0])
    assert issued._kept.size <= 2**25


def test_an_id_is_its_owners():
    """The tenant's, or that user's; nobody else learns that there is one."""
    issued = Issued("export")
    key = issued.put(Owner("acme", "ada"), "what")
    assert issued.get(Owner("acme", "ada"), key) == "what"
    assert issued.get(Owner("acme"), key) == "what"
    whole = issued.put(Owner("acme"), "all")
    for owner, known in (
        (Owner("acme", "bob"), key),
        (Owner("emca"), key),
        (Owner("acme", "ada"), whole),
    ):
        with pytest.raises(NotFoundError, match="there is no export"):
            issued.get(owner, known)
