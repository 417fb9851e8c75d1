"""What all tests share."""

import gc
import os
import sys
import time

import pytest
from hypothesis import HealthCheck, settings

from recollect.memory.language import registry
from recollect.memory.language.registry import use_folder
from tests.support.budget import examples
from tests.support.constants import patient

pytest_plugins = (
    "tests.support.host",
    "tests.support.milvus_server",
    "tests.support.models",
    "tests.support.servers",
    "tests.support.plan",
    "tests.support.prototypes",
    "tests.support.expense",
    "tests.support.tidy",
)

# Processes that tests start read what an earlier one has compiled, or compiling is most of them.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The library uses them: no test may call a real model with somebody's key.
# Days are those of the server where nobody names a zone.
os.environ["TZ"] = "UTC"
time.tzset()
os.environ.pop("OPENAI_API_KEY", None)
os.environ.pop("OPENAI_BASE_URL", None)

# Collecting makes millions of objects that stay: looking for garbage among them was a fifth of it.
gc.set_threshold(100_000, 50, 100)

# How long an example takes says something about the machine, not about the product.
settings.register_profile(
    "recollect",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("recollect")


@pytest.fixture(autouse=True, scope="session")
def no_retries():
    """Failures of models and embeddings are tested one by one: each retry would wait for a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("recollect.memory.llms.openai.RETRIES", 0)
        patch.setattr("recollect.memory.embedders.openai.RETRIES", 0)
        yield


@pytest.fixture(autouse=True, scope="session")
def patience():
    """No busy machine is tested."""
    with patient():
        yield


@pytest.fixture(autouse=True)
def shipped_languages():
    """No test finds the languages that one before it has added: they stay in use when it ends."""
    yield
    use_folder(None)


@pytest.fixture
def own_languages():
    """The test chooses the languages, whatever products of other tests in this process use."""
    before, registry._in_use = registry._in_use, registry._InUse()
    yield
    registry._in_use = before
    for table in registry._tables:
        table.cache_clear()


def pytest_collection_finish():
    """Tests and modules stay to the end: the collector need not look at them again and again."""
    gc.freeze()
