"""What is shipped, what it is built from, and what must not be in it."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from recollect.proxy.commands.preflight import collisions
from tests.support.folding import rows
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[1]
ROOMS = ("config", "filters", "memory", "proxy")
LOCKS = (
    "requirements-uv.lock",
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-assets.lock",
    *sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("tests/clients/*/*/*.lock")),
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SHIPPED = PROJECT["tool"]["setuptools"]

# Written in pieces so that this file is not what it looks for.
MACHINE_PATH = re.compile(r"(?<![\w.~<}-])/(?:work|root|home)/" + r"[\w.]")
REGISTRY = re.compile(
    "|".join(
        re.escape(".".join(parts))
        for parts in [
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("deb", "debian", "org"),
        ]
    )
)


def tracked():
    """Every file that is in the repository or would be with the next commit, as text."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    for name in done.stdout.split("\0"):
        path = ROOT / name
        if name and path.is_file():
            yield name, path.read_text("utf-8", "replace")


def test_data_files_are_shipped():
    """The documented configuration, the graph and the type marker go with their packages."""
    listed = {
        path.resolve().relative_to(ROOT).as_posix()
        for package, patterns in SHIPPED["package-data"].items()
        for pattern in patterns
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    present = {
        path.relative_to(ROOT).as_posix()
        for package in (*ROOMS, "recollect")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    graphs = {f"memory/embedders/local/{model}.onnx" for model in ("minilm", "use")}
    assert {"config/default.yaml", "recollect/py.typed", *graphs} <= listed
    assert listed == present


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, unpacked into a folder of its own as an installation would."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(
        ROOT, source, symlinks=True, ignore=lambda at, _: NOT_COPIED if Path(at) == ROOT else ()
    )
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=source, check=True, capture_output=True
    )
    [built] = folder.glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    return site


NOT_COPIED = {".git", ".venv", ".clients", "tests", "benchmarks", "docs", "build"}


@pytest.fixture
def project(tmp_path):
    """Somebody's own project, whose modules have the names of our folders."""
    for name in ("config", "memory", "filters"):
        (tmp_path / f"{name}.py").write_text(f"OWN = {name!r}\n")
    (tmp_path / "proxy").mkdir()
    (tmp_path / "proxy" / "__init__.py").write_text("OWN = 'proxy'\n")
    return tmp_path


def run_in(project, site, *arguments):
    environ = {**os.environ, "PYTHONPATH": str(site), "HOME": str(project)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.process
def test_the_wheel_works_in_a_project_with_names_like_ours(wheel, project):
    """Nothing called memory, config, proxy or filters comes into anybody's site-packages.

    The project's own modules stay its own, the library and the command work beside them.
    """
    [info] = wheel.glob("*.dist-info")
    assert {path.name for path in wheel.iterdir()} == {"recollect", info.name}
    assert "License-Expression: Apache-2.0" in (info / "METADATA").read_text("utf-8")
    assert (info / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    installed = {path.relative_to(wheel / "recollect") for path in wheel.rglob("*.py")}
    ours = {path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert installed == ours | {Path("__init__.py"), Path("__main__.py")}
    packs = Path("memory/language/packs")
    shipped = {path.name for path in (wheel / "recollect" / packs).iterdir()}
    assert shipped == {path.name for path in (ROOT / packs).iterdir()}
    code = (
        "import config, memory, filters, proxy\n"
        "import recollect\n"
        "from recollect import Memory, MemoryOptions\n"
        "from recollect.memory.embedders import FakeEmbedderOptions\n"
        "with Memory(MemoryOptions(embedder=FakeEmbedderOptions())) as m:\n"
        "    m.add('tea', user_id='a', infer=False)\n"
        "    found = len(m.get_all(user_id='a')['results'])\n"
        "print(config.OWN, memory.OWN, filters.OWN, proxy.OWN, found, recollect.__file__)\n"
    )
    said = run_in(project, wheel, "-c", code).split()
    assert said[:5] == ["config", "memory", "filters", "proxy", "1"]
    assert said[5].startswith(str(wheel))
    assert PROJECT["project"]["version"] in run_in(project, wheel, "-m", "recollect", "--version")


def test_a_planted_distribution_is_found(tmp_path, monkeypatch):
    """A real installed distribution with a package of our name is noticed and named."""
    info = tmp_path / "recollect_py-2.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: recollect-py\nVersion: 2.4\n")
    (info / "top_level.txt").write_text("recollect\n")
    (info / "RECORD").write_text("recollect/__init__.py,,\n")
    assert collisions() == []
    monkeypatch.syspath_prepend(str(tmp_path))
    [line] = collisions()
    assert "`recollect`" in line
    assert "recollect-py" in line


@rows("name", LOCKS)
def test_lock_files_pin_and_hash_everything(name):
    """Each requirement is one exact version with at least one hash.

    Where packages come from is the machine's business: mirrors work without an edit.
    """
    index = r"--(extra-)?index-url|--find-links|--trusted-host|https?://|@ file:"
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    assert not re.search(index, text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==[^\s;]+", line), line
        assert "--hash=sha256:" in line, line


def test_the_lock_holds_every_dependency():
    """What the project names is what the lock installs."""

    def canonical(name):
        return re.sub(r"[-_.]+", "-", name).lower()

    text = (ROOT / "requirements.lock").read_text("utf-8")
    locked = {canonical(name) for name in re.findall(r"(?m)^([A-Za-z0-9._-]+)(?:\[.*?\])?==", text)}
    named = {re.match(r"[A-Za-z0-9._-]+", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert {canonical(name) for name in named} <= locked


@pytest.mark.process
def test_nothing_of_a_machine_is_committed():
    """No path that is only true where it was written, and no host that bypasses somebody's mirror."""
    found = [
        f"{name}: {match[0]}"
        for name, text in tracked()
        for pattern in (MACHINE_PATH, REGISTRY)
        for match in pattern.finditer(text)
    ]
    assert not found


def test_a_machine_path_is_noticed():
    """Alone, in a sentence, quoted, in an assignment; below something else it means something else."""
    for path in ("\x2fwork/main", "\x2froot/.x", "see \x2fhome/ada", '"\x2froot/x"', "=\x2fwork/y"):
        assert MACHINE_PATH.search(path)
    for path in ("~/work/x", "https://h.test/home/x", "a/root/b", "networks"):
        assert not MACHINE_PATH.search(path)
