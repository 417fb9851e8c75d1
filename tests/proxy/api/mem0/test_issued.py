"""Ids that were given out."""

import pytest

from recollect.memory import NotFoundError
from recollect.memory.owner import Owner
from recollect.proxy.api.mem0.issued import Issued


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
