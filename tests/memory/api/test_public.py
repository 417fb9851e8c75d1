import subprocess
import sys
from pathlib import Path

import pytest

from recollect import memory
from recollect.memory.model.scope import SCOPE_REQUIRED

ROOT = Path(__file__).parents[3]


def test_nothing_public_is_unlisted():
    """Whatever `memory` exposes besides its modules is listed, once all of it is loaded."""
    for name in memory.__all__:
        assert getattr(memory, name).__name__ == name
    exposed = {
        name
        for name, value in vars(memory).items()
        if not name.startswith("_") and getattr(value, "__module__", None)
    }
    assert sorted(exposed) == memory.__all__


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


def test_the_text_of_the_scope_error():
    """The sentence clients know."""
    assert SCOPE_REQUIRED == "At least one of user_id, agent_id, or run_id must be provided"
