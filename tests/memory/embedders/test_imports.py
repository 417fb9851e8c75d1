import subprocess
import sys

import pytest


@pytest.mark.process
def test_imports_are_lazy():
    """Importing the package loads none of the heavy libraries of any backend."""
    code = (
        "import sys, recollect.memory.embedders;"
        "print({'onnxruntime', 'tokenizers', 'openai', 'torch', 'sentencepiece'} & sys.modules.keys())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
        check=True,
        capture_output=True,
        text=True,
    )
    assert result.stdout.strip() == "set()"
