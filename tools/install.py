"""Install hashed lock files with uv, or with pip where uv cannot be had.

    python tools/install.py requirements.lock [--no-deps] [--project .] [--editable] [--python P]

uv reads the same lock and checks the same hashes as pip, in a tenth of its time. It comes from the
package index, pinned by requirements-uv.lock, into the environment that runs this script. pip's
settings (mirrors, extra indexes, certificates) hold for uv too. Only the standard library is used:
this runs before anything is installed.

`INSTALLER=pip` in the environment leaves uv out.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
UV_LOCK = ROOT / "requirements-uv.lock"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
HEARTBEAT_SECONDS = 10.0
INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as in shells."""

# Words that pip and uv use, lower case. Only the first that matches decides.
CAUSES: Mapping[str, tuple[str, ...]] = {
    "hash": ("hash mismatch", "do not match the hashes", "must have a hash", "hashes are required",
             "must have their versions pinned", "hash-checking", "--require-hashes"),
    "python": ("requires a different python", "requires-python", "does not satisfy python"),
    "network": ("error sending request", "failed to fetch", "connection", "temporary failure",
                "name resolution", "timed out", "max retries", "tls", "certificate", "dns error"),
    "wheel": ("no matching distribution", "could not find a version", "no wheels", "no solution"),
    "space": ("no space left",),
}  # fmt: skip
ADVICE: Mapping[str, str] = {
    "hash": "{lock} does not match what the index serves, or was edited by hand. "
    "Restore it (`git checkout {lock}`), or resolve anew with `make lock`.",
    "python": "A package in {lock} does not support Python {python}. "
    "Use Python 3.11 to 3.13: `make clean`, then `make PYTHON=python3.11 setup`.",
    "network": "The package index cannot be reached. Check the connection, or name a mirror in "
    "PIP_INDEX_URL, and run the command again; what was fetched is kept.",
    "wheel": "The index has no file for this platform ({platform}, Python {python}) of a package "
    "in {lock}. If the index is a mirror, it may be incomplete.",
    "space": "The disk is full. Make room (about 1 GB) and run the command again.",
}


FINAL = frozenset({"hash", "space"})
"""Causes that another installer would meet as well."""


class Installer(NamedTuple):
    """A command that takes what to install, and the environment it needs (None: this one)."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None = None


class Run(NamedTuple):
    """How a command ended, and everything it printed."""

    ok: bool
    output: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Install; the exit status. Every failure ends in one line on stderr."""
    parser = argparse.ArgumentParser(description="Install a hashed lock file with uv or pip.")
    parser.add_argument("lock", type=Path, help="the lock file")
    parser.add_argument("--no-deps", action="store_true", help="only what the file names")
    parser.add_argument("--project", type=Path, help="then install this project, as it is")
    parser.add_argument("--editable", action="store_true", help="install the project in place")
    parser.add_argument("--python", default=sys.executable, help="interpreter to install for")
    parser.add_argument("--no-cache", action="store_true", help="leave no copy of what is fetched")
    options = parser.parse_args(arguments)

    if not options.lock.is_file():
        return _fail(f"{options.lock}: no such lock file")
    locked = ["--require-hashes", "--requirement", str(options.lock)]
    steps = {
        f"{count(options.lock)} packages of {options.lock.name}": [
            *locked,
            *(["--no-deps"] if options.no_deps else []),
        ]
    }
    if options.project:
        place = ["--editable"] if options.editable else []
        steps["Recollect"] = ["--no-deps", "--no-build-isolation", *place, str(options.project)]
    installers = _installers(options)
    for what, wanted in steps.items():
        if not _install(installers, what, wanted, options.lock):
            return 1
    return _consistent(options) if options.project else 0


def _install(installers: Sequence[Installer], what: str, wanted: Sequence[str], lock: Path) -> bool:
    """Try one installer after the other; whether one could. Says what is wrong otherwise."""
    for position, installer in enumerate(installers, 1):
        begun = time.monotonic()
        print(f"== {installer.name}: installing {what}", flush=True)
        done = run([*installer.command, *wanted], installer.environment)
        if done.ok:
            print(f"== {installer.name}: done in {time.monotonic() - begun:.0f} s", flush=True)
            return True
        cause = cause_of(done.output)
        if position == len(installers) or cause in FINAL:
            sys.stderr.write(done.output[-3000:])
            _fail(advice(cause, lock, done.output))
            return False
        print(f"== uv could not ({last_line(done.output)}); trying pip, which takes minutes")
    return False


def _installers(options: argparse.Namespace) -> list[Installer]:
    """The commands to try, in order; none, and why is said, if nothing can work."""
    into = [] if options.python == sys.executable else ["--python", options.python]
    cache = ["--no-cache-dir"] if options.no_cache else []
    pip = Installer("pip", [*PIP, *into, "install", "--retries", "2", *cache])
    if os.environ.get("INSTALLER") == "pip":
        return [pip]
    found = obtain_uv()
    if isinstance(found, Path):
        settings = pip_settings()
        command = [str(found), "pip", "install", "--python", options.python]
        command += [*uv_arguments(settings), *(["--no-cache"] if options.no_cache else [])]
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            # Nothing would ever be compiled later, and every start would take seconds longer.
            command.append("--compile-bytecode")
        return [Installer("uv", command, uv_environment(settings, os.environ)), pip]
    cause = cause_of(found)
    if cause in FINAL or cause == "network":
        sys.stderr.write(found[-3000:])
        _fail(advice(cause, UV_LOCK, found))
        return []
    print(f"== uv is not to be had here ({last_line(found)}); using pip, which takes minutes")
    return [pip]


def obtain_uv() -> Path | str:
    """The program beside this interpreter, fetched if need be; or what pip said instead."""
    program = Path(sys.executable).parent / "uv"
    pinned = re.search(r"(?m)^uv==(\S+)", UV_LOCK.read_text("utf-8"))
    version = pinned[1] if pinned else ""
    if program.exists():
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        if said.returncode == 0 and f" {version} " in f"{said.stdout.strip()} ":
            return program
    print(f"== pip: fetching uv {version}", flush=True)
    done = run([*PIP, "install", "--quiet", "--retries", "1", "--require-hashes",
                "--only-binary", ":all:", "--requirement", str(UV_LOCK)])  # fmt: skip
    return program if done.ok and program.exists() else done.output


def pip_settings(listing: str | None = None) -> dict[str, list[str]]:
    """Pip's configuration by option name; the environment wins over files, as in pip."""
    if listing is None:
        done = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
        listing = done.stdout
    found: dict[str, list[str]] = {}
    # Later places win: pip reads global, then install, then the environment.
    for place in ("global", "install", ":env:"):
        for line in listing.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(f"{place}."):
                text = ast.literal_eval(value) if value[:1] in "'\"" else value
                found[key.removeprefix(f"{place}.")] = str(text).split()
    return found


def uv_arguments(settings: Mapping[str, Sequence[str]]) -> list[str]:
    """What tells uv to look where pip looks. Hashes make it safe to take the best of all places."""
    flags = {
        "index-url": "--default-index",
        "extra-index-url": "--index",
        "find-links": "--find-links",
        "trusted-host": "--allow-insecure-host",
    }
    made = [
        part for name, flag in flags.items() for v in settings.get(name, ()) for part in (flag, v)
    ]
    if settings.get("extra-index-url"):
        made += ["--index-strategy", "unsafe-best-match"]
    if settings.get("no-index", ["0"])[0].lower() in {"1", "true", "yes", "on"}:
        made.append("--no-index")
    return made


def uv_environment(
    settings: Mapping[str, Sequence[str]], environment: Mapping[str, str]
) -> dict[str, str]:
    """`environment`, with pip's certificate bundle and proxy where uv has none of its own."""
    variables = {"SSL_CERT_FILE": "cert", "HTTPS_PROXY": "proxy", "HTTP_PROXY": "proxy"}
    known = {name: settings[of][0] for name, of in variables.items() if settings.get(of)}
    return {"UV_NO_PROGRESS": "1", **known, **environment}


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Run:
    """Run to the end; a line every ten seconds says that it still works."""
    begun, ended = time.monotonic(), threading.Event()

    def beat() -> None:
        while not ended.wait(HEARTBEAT_SECONDS):
            print(f"   ... {time.monotonic() - begun:.0f} s", flush=True)

    heart = threading.Thread(target=beat, daemon=True)
    heart.start()
    try:
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
            code = subprocess.run(
                command, stdout=said, stderr=said, env=environment, check=False
            ).returncode
            said.seek(0)
            return Run(code == 0, said.read())
    except OSError as error:
        return Run(ok=False, output=f"{command[0]}: {error.strerror}")
    finally:
        ended.set()
        heart.join()


def cause_of(output: str) -> str:
    """The kind of failure that an installer's words tell; "" if none is known."""
    text = output.lower()
    return next((c for c, words in CAUSES.items() if any(w in text for w in words)), "")


def advice(cause: str, lock: Path, output: str) -> str:
    """One line for a person: what is wrong and what to do."""
    if not cause:
        return f"{lock.name} was not installed: {last_line(output)}"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return ADVICE[cause].format(lock=lock.name, python=version, platform=sys.platform)


def last_line(output: str) -> str:
    """The last thing said, as one line of bearable length."""
    lines = [found[0] for line in output.splitlines() if (found := re.search(r"\w.*", line))]
    return (lines[-1] if lines else "no word why")[:200]


def count(lock: Path) -> int:
    """How many packages a lock file names."""
    return len(re.findall(r"(?m)^[A-Za-z0-9._-]+(?:\[.*?\])?==", lock.read_text("utf-8")))


def _consistent(options: argparse.Namespace) -> int:
    """Does what the lock holds satisfy what the project asks for?"""
    uv = Path(sys.executable).parent / "uv"
    command = (
        [str(uv), "pip", "check", "--python", options.python]
        if uv.exists() and os.environ.get("INSTALLER") != "pip"
        else [options.python, "-m", "pip", "--disable-pip-version-check", "check"]
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).splitlines()
    wrong = [line for line in said if re.match(r"(The package `)?recollect[` ]", line)]
    if not wrong:
        return 0
    return _fail(f"{options.lock.name} does not match pyproject.toml: {wrong[0]} Run `make lock`.")


def _fail(line: str) -> int:
    print(f"setup: {line}", file=sys.stderr, flush=True)
    return 1


def stoppable(work: Callable[[], int]) -> int:
    """Run it; after Ctrl-C say that nothing is lost, with the status 130 of shells."""
    try:
        return work()
    except KeyboardInterrupt:
        print("setup: stopped; run it again, it goes on", file=sys.stderr, flush=True)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(stoppable(main))
