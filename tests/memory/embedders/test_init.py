import subprocess
import sys

import pytest
from pydantic import TypeAdapter, ValidationError

from recollect.memory.embedders import (
    EmbedderOptions,
)
from tests.support.folding import rows

OPTIONS = TypeAdapter(EmbedderOptions)


@rows(
    "raw, named",
    [
        ({"backend": "torch"}, "backend"),
        ({"backend": "local", "thread": 2}, "thread"),
        ({"backend": "onnx", "max_tokens": 513}, "max_tokens"),
        ({"backend": "openai", "dim": 0}, "dim"),
        ({"backend": "fake", "dim": 1}, "dim"),
    ],
)
def test_wrong_options(raw, named):
    """Unknown backends and keys and values out of range are errors that name the key."""
    with pytest.raises(ValidationError, match=named):
        OPTIONS.validate_python(raw)


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
