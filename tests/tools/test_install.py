"""Set-up: hashed locks by uv, pip where there is no uv, and one clear line for what goes wrong."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.folding import rows

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "install.py"

_spec = importlib.util.spec_from_file_location("install", SCRIPT)
install = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(install)


def make_wheel(folder: Path) -> str:
    """A package `tiny` 1.0 in `folder`; its sha256."""
    folder.mkdir(exist_ok=True)
    path = folder / "tiny-1.0-py3-none-any.whl"
    info = "tiny-1.0.dist-info"
    parts = {
        "tiny.py": "ANSWER = 42\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in parts.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
            record += f"{name},sha256={digest.decode().rstrip('=')},{len(text)}\n"
            wheel.writestr(name, text)
        wheel.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def target(tmp_path):
    """An empty environment to install into."""
    folder = tmp_path / "target"
    venv.create(folder, with_pip=False)
    return folder


@pytest.fixture
def setup(tmp_path, target):
    """Run the installer on a lock of one package, with an index that is a folder."""
    right = make_wheel(tmp_path / "index")

    def run(*, sha256=right, name="tiny", **environment):
        lock = tmp_path / "requirements.lock"
        lock.write_text(f"{name}==1.0 \\\n    --hash=sha256:{sha256}\n")
        return subprocess.run(
            [sys.executable, SCRIPT, lock, "--python", target / "bin" / "python", "--no-cache"],
            env={k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "UV_"))}
            | {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
            | {"PIP_FIND_LINKS": str(tmp_path / "index"), "UV_HTTP_RETRIES": "0"}
            | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def installed(target):
    return list(target.glob("lib/*/site-packages/tiny.py"))


@rows("installer", ["uv", "pip"])
def test_a_lock_is_installed_if_its_hashes_are_right(setup, target, installer):
    """From where pip is told to look, by uv or by pip, and it says by which and how many.

    Nothing is installed of a wrong one; the last line names the lock and what to do.
    """
    done = setup(sha256="0" * 64, INSTALLER=installer)
    assert done.returncode == 1
    assert not installed(target)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("setup: requirements.lock does not match")
    assert "make lock" in last
    assert "trying pip" not in done.stdout, "another installer would be told the same"
    done = setup(INSTALLER=installer)
    assert done.returncode == 0, done.stderr
    assert f"== {installer}: installing 1 packages of requirements.lock" in done.stdout
    [module] = installed(target)
    for part in module.parent.glob("tiny*"):
        part.unlink() if part.is_file() else shutil.rmtree(part)


def test_an_unreachable_index_is_named(setup):
    """A line about the network, after uv and pip were both refused."""
    done = setup(PIP_NO_INDEX="0", PIP_FIND_LINKS="", PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert done.returncode == 1
    assert "trying pip" in done.stdout
    assert done.stderr.splitlines()[-1].startswith("setup: The package index cannot be reached.")


def test_a_package_without_a_file_for_this_platform(setup):
    """The platform and the Python version are in the line."""
    done = setup(name="absent")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert sys.platform in last
    assert "requirements.lock" in last


def test_without_uv_pip_does_it(setup, target, tmp_path, monkeypatch):
    """No wheel of uv for the platform: real pip says so, and installs the lock itself."""
    (tmp_path / "requirements-uv.lock").write_text(f"uv==0.0.1 --hash=sha256:{'0' * 64}\n")
    script = tmp_path / "copy.py"
    script.write_text(
        SCRIPT.read_text("utf-8").replace(
            "ROOT = Path(__file__).resolve().parents[1]", "ROOT = Path(__file__).resolve().parent"
        )
    )
    monkeypatch.setattr(sys.modules[__name__], "SCRIPT", script)
    done = setup()
    assert done.returncode == 0, done.stderr
    assert "uv is not to be had here" in done.stdout
    assert installed(target)


def test_pips_settings_hold_for_uv():
    """Mirrors, further indexes, folders and certificates; the environment wins over files."""
    settings = install.pip_settings(
        ":env:.index-url='https://mirror.test/simple'\n"
        ":env:.find-links='/wheels'\n"
        "global.index-url='https://other.test/simple'\n"
        "global.extra-index-url='https://a.test/s https://b.test/s'\n"
        "global.cert='/ca.pem'\n"
        "global.timeout='60'\n"
    )
    arguments = install.uv_arguments(settings)
    assert arguments[:2] == ["--default-index", "https://mirror.test/simple"]
    assert [b for a, b in pairwise(arguments) if a == "--index"] == [
        "https://a.test/s",
        "https://b.test/s",
    ]
    assert "unsafe-best-match" in arguments
    assert arguments[arguments.index("--find-links") + 1] == "/wheels"
    environment = install.uv_environment(settings, {"HOME": "/h"})
    assert environment["SSL_CERT_FILE"] == "/ca.pem"
    kept = install.uv_environment(settings, {"SSL_CERT_FILE": "/mine.pem"})
    assert kept["SSL_CERT_FILE"] == "/mine.pem"


@rows(
    "said, cause",
    [
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "hash"),
        (
            "In `--require-hashes` mode, all requirements must have a hash, but there were none",
            "hash",
        ),
        ("ERROR: Package 'x' requires a different Python: 3.10.1 not in '>=3.11'", "python"),
        ("NewConnectionError: [Errno 101] Network is unreachable", "network"),
        ("error: Failed to fetch: `https://i.test/x/`", "network"),
        ("ERROR: No matching distribution found for uv==0.13.9", "wheel"),
        ("OSError: [Errno 28] No space left on device", "space"),
        ("Segmentation fault", ""),
    ],
)
def test_the_cause_is_read_from_their_words(said, cause):
    """As uv and pip put it; a missing lock is named."""
    assert install.cause_of(said) == cause
    assert install.main(["nowhere.lock"]) == 1


def test_a_lock_that_lags_behind_the_project_is_noticed(monkeypatch, capsys, tmp_path):
    """What `pip check` says about us, in one line with the command that mends it."""
    (tmp_path / "python").write_text(
        "#!/bin/sh\necho 'recollect 1.0 requires x, which is missing.'\n"
    )
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setenv("INSTALLER", "pip")
    monkeypatch.setattr(install, "_installers", lambda _: [install.Installer("uv", ["true"])])
    lock = tmp_path / "requirements.lock"
    lock.write_text("tiny==1.0\n")
    code = install.main([str(lock), "--project", ".", "--python", str(tmp_path / "python")])
    assert code == 1
    assert "requirements.lock does not match pyproject.toml" in capsys.readouterr().err


def test_an_old_python_is_refused_by_make(tmp_path):
    """Before anything is made, with the command for another interpreter."""
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", f"PYTHON={old}", f"VENV={tmp_path}/venv", f"{tmp_path}/venv/bin/python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stdout
    assert not (tmp_path / "venv").exists()


def test_an_interrupted_setup_says_what_to_do(capsys):
    """One line instead of a trace, and the status of a shell after Ctrl-C."""

    def pressed() -> int:
        raise KeyboardInterrupt

    assert install.stoppable(pressed) == 130
    [line] = capsys.readouterr().err.splitlines()
    assert "run it again" in line
    assert install.stoppable(lambda: 1) == 1
