"""Routes that pass without memory: whose answers say so, on the wire too."""

from recollect.proxy.transport.no_memory_answers import WITHOUT_MEMORY, said_of
from tests.support.folding import rows


@rows(
    "path",
    [
        "/v1/realtime",
        "/realtime",
        "/v1/batches",
        "/v1/batches/batch_1/cancel",
        "/v1/messages/batches",
        "/v1/threads/t/runs",
        "/api/generate",
    ],
)
def test_where_people_talk_it_is_said(path):
    """Whoever wonders where the memory is finds the reason in the answer."""
    assert said_of(path) == WITHOUT_MEMORY


@rows(
    "path",
    [
        "/v1/models",
        "/v1/completions",
        "/v1/embeddings",
        "/v1/files",
        "/v1/batchesx",
        "/api/tags",
        "/",
        "/v1/messages/count_tokens",
    ],
)
def test_elsewhere_nothing_is_added(path):
    """Their answers are the server's, byte by byte."""
    assert said_of(path) == {}
