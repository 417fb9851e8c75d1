"""What a client finds: tools as they are shown, and texts."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import NotFoundError
from recollect.proxy.mcp.desk import PROFILE_URI, ScopeTexts
from tests.support.folding import rows


class Known:
    """A profile of two lines and a block."""

    async def profile(self):
        return {"results": [{"memory": "Ada is deaf."}, {"memory": "Ada lives in Bern."}]}

    async def blocks(self):
        return {"results": [{"label": "plan", "description": "What to do next."}]}

    async def block(self, label):
        if label != "plan":
            raise NotFoundError(f"there is no block {label!r}")
        return {"value": "1. Pack"}


async def test_the_profile_and_each_block_can_be_read():
    """By their URIs, which the list has."""
    texts = ScopeTexts(Known())
    found = {each.uri: each for each in await texts.readings()}
    assert list(found) == [PROFILE_URI, "recollect://blocks/plan"]
    assert found["recollect://blocks/plan"].description == "What to do next."
    assert await texts.read(PROFILE_URI) == "- Ada is deaf.\n- Ada lives in Bern."
    assert await texts.read("recollect://blocks/plan") == "1. Pack"


@rows("uri", ["", "recollect://blocks/", "recollect://blocks/other", "file:///etc/passwd", "plan"])
async def test_what_is_not_there_is_not_found(uri):
    """Whatever else is asked for."""
    with pytest.raises(NotFoundError):
        await ScopeTexts(Known()).read(uri)
