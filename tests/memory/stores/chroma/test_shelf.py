"""The collections of a Chroma, in a folder and on a real server."""

from __future__ import annotations

import pytest

from recollect.memory.stores.chroma.client import ChromaClient
from tests.memory.stores.collections_contract import CollectionsContract, closing
from tests.memory.stores.sharing_contract import AloneContract, SharedContract

pytestmark = pytest.mark.process


class InChroma(CollectionsContract):
    async def make_foreign(self, options, name):
        async with closing(ChromaClient.open(options)) as client:
            await client.call(
                "make", lambda one: one.create_collection(name, embedding_function=None)
            )


class TestCollectionsInAFolder(InChroma, AloneContract):
    @pytest.fixture
    def options(self, folder_options):
        return folder_options


class TestCollectionsOnAServer(InChroma, SharedContract):
    @pytest.fixture
    def options(self, server_options):
        return server_options
