"""Elasticsearch and OpenSearch: the contract over what is documented of both (`search_server`)."""

import uuid
from functools import partial

import pytest

from recollect.memory.index.options import ElasticIndexOptions
from recollect.memory.model.errors import StoreError
from tests.memory.index.contract import DIM, LastingContract

search_server = pytest.importorskip("tests.support.search_server")


def options(server, **more):
    said = {"uri": server.url, "collection": f"m{uuid.uuid4().hex}", "backend": "opensearch"}
    return ElasticIndexOptions.model_validate(said | more)


@pytest.fixture(scope="module")
def open_search():
    with search_server.SearchServer(elastic=False) as server:
        yield server


@pytest.fixture(scope="module")
def elastic():
    with search_server.SearchServer(elastic=True, key="k3y") as server:
        yield server


@pytest.mark.process
class TestOpenSearch(LastingContract):
    @pytest.fixture
    def open_index(self, opening, open_search):
        return partial(opening, options(open_search))


@pytest.mark.process
class TestElasticsearch(LastingContract):
    @pytest.fixture
    def open_index(self, opening, elastic):
        return partial(opening, options(elastic, backend="elasticsearch", token="k3y"))

    async def test_a_wrong_key_is_an_error_without_it(self, opening, elastic):
        """Searches are exact then."""
        with pytest.raises(StoreError, match="401") as refused:
            await opening(options(elastic, token="wr0ng"), dim=DIM)
        assert "wr0ng" not in str(refused.value)
