import subprocess
import sys
from pathlib import Path

import pytest

from recollect import memory
from recollect.memory.model import errors
from recollect.memory.model.scope import SCOPE_REQUIRED

ROOT = Path(__file__).parents[3]
PUBLIC = [
    "AddTimeoutError",
    "AsyncMemory",
    "ConfigError",
    "ConflictError",
    "EmbeddingError",
    "EventKind",
    "ExtractionError",
    "InvalidInputError",
    "Memory",
    "MemoryItem",
    "MemoryOptions",
    "MemoryStatus",
    "MemoryType",
    "Message",
    "ModelError",
    "NotFoundError",
    "RecollectError",
    "Scope",
    "ScopeError",
    "StateError",
    "StoreError",
    "Turn",
]


def test_all():
    """What is public is exactly this, sorted, and every name is there."""
    assert memory.__all__ == PUBLIC == sorted(PUBLIC)
    for name in memory.__all__:
        assert getattr(memory, name).__name__ == name


def test_nothing_public_is_unlisted():
    """Whatever `memory` exposes besides its modules is listed, once all of it is loaded."""
    for name in PUBLIC:
        getattr(memory, name)
    exposed = {
        name
        for name, value in vars(memory).items()
        if not name.startswith("_") and getattr(value, "__module__", None)
    }
    assert exposed == set(PUBLIC)


@pytest.mark.process
def test_import_is_light():
    """Importing the library, and opening it without a model, loads no heavy package."""
    code = (
        "import sys\nfrom recollect import memory\n"
        "heavy = {'pymilvus', 'onnxruntime', 'openai', 'tiktoken', 'tokenizers', 'aiohttp'}\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
        "from recollect.memory.embedders import FakeEmbedderOptions\n"
        "with memory.Memory(memory.MemoryOptions(embedder=FakeEmbedderOptions())) as m:\n"
        "    m.add('tea', user_id='a', infer=False)\n"
        "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_every_error_has_its_code():
    """Codes are there and stable. Errors share one that are of one kind."""
    codes = {
        error.__name__: error.code
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, errors.RecollectError)
    }
    assert codes == {
        "RecollectError": "recollect_error",
        "ScopeError": "scope_required",
        "InvalidInputError": "invalid_input",
        "ConfigError": "invalid_configuration",
        "ConflictError": "conflict",
        "StretchOpenError": "stretch_open",
        "VersionError": "version_conflict",
        "NotFoundError": "not_found",
        "ForbiddenError": "forbidden",
        "StoreError": "store_unavailable",
        "StoreUnwritableError": "state_unwritable",
        "StoreGoneError": "state_gone",
        "StoreDamagedError": "state_damaged",
        "StoreMismatchError": "store_mismatch",
        "StateError": "state_unavailable",
        "StateUnwritableError": "state_unwritable",
        "StateGoneError": "state_gone",
        "StateDamagedError": "state_damaged",
        "FormatError": "other_format",
        "GraphError": "graph_unavailable",
        "EmbeddingError": "embedding_failed",
        "EmbeddingRefusedError": "embedding_failed",
        "ModelError": "model_failed",
        "NoModelError": "no_model",
        "ModelUnavailableError": "model_unreachable",
        "ModelBusyError": "model_busy",
        "ModelTimeoutError": "model_timeout",
        "AddTimeoutError": "add_timeout",
        "ModelUnauthorizedError": "model_unauthorized",
        "ModelNotFoundError": "model_not_found",
        "ModelRefusedError": "model_refused",
        "ModelUnreadableError": "model_unreadable",
        "ModelSilentError": "model_unreadable",
        "LearningError": "learning_failed",
        "SaidOnlyError": "said_only",
        "WorkerDiedError": "worker_died",
        "JobTimeoutError": "job_timeout",
        "BudgetError": "budget_spent",
        "UpkeepBudgetError": "upkeep_budget_spent",
        "UpkeepRestsError": "upkeep_rests",
        "HourSpentError": "hour_spent",
        "ModelRestsError": "model_rests",
        "TurnsUnreadError": "turns_unread",
        "ExtractionError": "model_unreadable",
    }


def test_the_text_of_the_scope_error():
    """The sentence clients know."""
    assert SCOPE_REQUIRED == "At least one of user_id, agent_id, or run_id must be provided"
