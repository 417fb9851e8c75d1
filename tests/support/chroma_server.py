"""A real Chroma server, the one in the wheel, as a process."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from .ports import free_port
from .waiting import HANG_SECONDS


class ChromaServer:
    """Started when it is made; `stop` ends it and forgets its data."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="recollect-chroma-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        program = shutil.which("chroma", path=sysconfig.get_path("scripts"))
        assert program is not None, "the development requirements hold chromadb"
        data = str(self._folder / "data")
        command = [program, "run", "--path", data, "--host", "127.0.0.1", "--port", str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
        end = time.monotonic() + HANG_SECONDS
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            assert time.monotonic() < end, "the Chroma server does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        """As the kernel would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(HANG_SECONDS)

    def stop(self) -> None:
        """End it, and remove its data."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/api/v2/heartbeat", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False
