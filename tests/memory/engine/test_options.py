import pytest
from pydantic import ValidationError

from recollect.memory import MemoryOptions


def test_defaults_need_no_service():
    """By default nothing is kept beyond the process and the local model embeds."""
    options = MemoryOptions()
    assert options.store.backend == "inmemory"
    assert options.history.backend == "inmemory"
    assert options.embedder.backend == "local"
    assert options.llm.base_url is None


def test_backends_by_name():
    """Parts are chosen by their backend's name, as in a configuration file."""
    options = MemoryOptions.model_validate(
        {
            "store": {"backend": "milvus", "uri": "/tmp/x.db"},
            "embedder": {"backend": "fake"},
            "history": {"backend": "sqlite", "url": "/tmp/h.db"},
        }
    )
    assert (options.store.backend, options.embedder.backend) == ("milvus", "fake")


@pytest.mark.parametrize(
    "wrong",
    [{"stores": {}}, {"store": {"backend": "papyrus"}}, {"embedder": {"backend": "fake", "d": 1}}],
)
def test_unknown_parts_are_refused(wrong):
    """An unknown part, backend or key is an error, not silence."""
    with pytest.raises(ValidationError):
        MemoryOptions.model_validate(wrong)
