"""A real Redis with its search keeps the contract."""

import uuid
from functools import partial

import pytest

from recollect.memory.index.options import RedisIndexOptions
from recollect.memory.index.port import IndexFilter, IndexMissingError
from recollect.memory.model.errors import StoreError
from tests.memory.index.contract import ACME, DIM, VECTORS, LastingContract, keys, row
from tests.support.redis_server import SearchingRedis


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if (absent := SearchingRedis.absent()) is not None:
        pytest.skip(absent)
    with SearchingRedis(tmp_path_factory.mktemp("redis"), requirepass="s3cret") as server:
        yield server


@pytest.mark.process
class TestServer(LastingContract):
    recall = 0.95

    @pytest.fixture
    def open_index(self, opening, server):
        uri = f"redis://:s3cret@127.0.0.1:{server.port}/0"
        name = f"memories_{uuid.uuid4().hex}"
        options = RedisIndexOptions.model_validate({"uri": uri, "collection": name})
        return partial(opening, options)

    async def test_what_an_index_left_is_not_found_in_the_next(self, index, open_index):
        """Rows of one that somebody dropped by hand stay in Redis; they are none of the new one's."""
        await index.put([row(1), row(2)])
        index._client.execute_command("FT.DROPINDEX", index._collection)
        with pytest.raises(IndexMissingError):
            await index.put([row(3)])
        await index.drop()
        assert await index.search(VECTORS[1], IndexFilter(ACME), limit=9) == []
        await index.put([row(2)])
        assert keys(await index.search(VECTORS[1], IndexFilter(ACME), limit=9)) == [2]

    async def test_a_wrong_password_is_an_error_without_it(self, opening, server):
        """Searches are exact then."""
        uri = f"redis://:wr0ng@127.0.0.1:{server.port}/0"
        with pytest.raises(StoreError) as refused:
            await opening(RedisIndexOptions.model_validate({"uri": uri}), dim=DIM)
        assert "wr0ng" not in str(refused.value)
