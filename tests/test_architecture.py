"""The rules that hold the rooms apart."""

import ast
import os
import re
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest

from tests.support.syntax import parsed

ROOT = Path(__file__).parents[1]
PACKAGES = ("proxy", "config", "filters", "memory")
TASK_STARTERS = {"create_task", "ensure_future"}


def sources(mentions, folders=PACKAGES):
    """The modules whose text has what a test looks for, by their paths below the root.

    To parse all of them would take seconds.
    """
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if re.search(mentions, text := path.read_text("utf-8")):
                yield path.relative_to(ROOT).as_posix(), text


PLANTED = {
    "Imports run one way": (
        ("memory", "from recollect.filters import Exchange"),
        ("memory", "from recollect.config import Settings"),
        ("filters", "from recollect.proxy.errors import answer_errors"),
        ("config", "import recollect.proxy.app"),
    ),
    "The rooms of memory": (("memory/model", "from recollect.memory.recall import Recaller"),),
    "Transport carries": (("proxy/transport", "from ..dialects.chat import CHAT"),),
    "Above the engine": (
        ("proxy", "from recollect.memory.recall.ranking import rank"),
        ("filters", "import recollect.memory.index.milvus.server"),
        ("config", "from recollect.memory.records.parts import Parts"),
    ),
    "The engine knows no HTTP server": (
        ("memory", "import aiohttp"),
        ("filters", "from aiohttp import web"),
    ),
}
"""Imports the wrong way, by the contract of pyproject.toml that each of them breaks."""


@pytest.fixture
def planted(tmp_path):
    """The packages and their contracts in a folder, with a module for each import above."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignore = shutil.ignore_patterns("__pycache__")
    for package in (*PACKAGES, "recollect"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore, symlinks=True)
    modules = {}
    for contract, lines in PLANTED.items():
        for number, (folder, line) in enumerate(lines):
            name = f"planted_{contract.split()[0].lower()}_{number}"
            (tmp_path / folder / f"{name}.py").write_text(f"{line}\n")
            modules[f"recollect.{folder.replace('/', '.')}.{name} -> "] = contract
    return tmp_path, modules


@pytest.mark.process
def test_an_import_the_wrong_way_is_noticed(planted):
    """`make lint` holds the contracts; each planted violation is found under its own."""
    folder, modules = planted
    binary = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    assert binary, "lint-imports is missing: install the development requirements"
    done = subprocess.run(
        [binary, "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    found, contract = set(), ""
    for line in done.stdout.partition("Broken contracts")[2].splitlines():
        contract = next((name for name in PLANTED if line.startswith(name)), contract)
        found |= {(each, contract) for each in modules if each in line}
    assert set(modules.items()) <= found


def test_there_are_at_most_twelve_doors():
    """What is above the engine cannot come to know all of it, room by room."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    [doors] = [each for each in contracts["contracts"] if each["name"].startswith("Above")]
    assert len(doors["ignore_imports"]) <= 12


def task_starts(text):
    """Lines on which a task is started by hand."""
    return [
        node.lineno
        for node in ast.walk(parsed(text))
        if (isinstance(node, ast.Attribute) and node.attr in TASK_STARTERS)
        or (isinstance(node, ast.Name) and node.id in TASK_STARTERS)
        or (isinstance(node, ast.ImportFrom) and TASK_STARTERS & {n.name for n in node.names})
    ]


def environment_uses(text):
    """Whether a module reads the environment, and whether it writes it."""
    reads = writes = False
    targets = set()
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            targets.add(node.value)
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            reads |= any(n.name in {"environ", "environb", "getenv", "*"} for n in node.names)
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"}:
            writes |= node in targets
            reads |= node not in targets
    return reads, writes


def test_tasks_are_started_in_one_place():
    """Everywhere else a task could be forgotten, and its failure with it."""
    found = {path for path, text in sources("|".join(TASK_STARTERS)) if task_starts(text)}
    assert found == {"memory/util/tasks.py"}


def test_every_port_is_served_by_one_runner():
    """`Runner` has the limits on connections, heads and bodies: no other server listens."""
    servers = r"AppRunner\(|ServerRunner\(|\bweb\.Server\(|run_app\(|start_server\("
    assert [path for path, _ in sources(servers)] == []
    listening = list(sources(r"Site\("))
    assert [path for path, _ in listening] == ["proxy/serve.py", "proxy/telemetry/port.py"]
    for path, text in listening:
        assert re.search(r"runner: Runner|build_runner\(", text), path


def test_the_environment_is_read_in_one_place():
    """Only the loader reads it, one function of the library, and one for OpenTelemetry's variable.

    Whoever names a provider lets the table of providers read its variables.

    Libraries that want a variable get it where they are imported.
    """
    uses = {path: environment_uses(text) for path, text in sources("environ|getenv")}
    assert [path for path, (reads, _) in uses.items() if reads] == [
        "proxy/telemetry/text_capture.py",
        "config/load.py",
        "memory/llms/environment.py",
        "memory/util/providers.py",
    ]
    assert [path for path, (_, writes) in uses.items() if writes] == [
        "memory/embedders/local/session.py",
        "memory/index/milvus/lite_child.py",
    ]


def importers(name):
    """The modules of the product that import a module of this name or a name from it."""
    return [
        path
        for path, text in sources(rf"\b{name}\b")
        for node in ast.walk(parsed(text))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == name)
        or (
            isinstance(node, ast.Import | ast.ImportFrom)
            and any(each.name.split(".")[-1] == name for each in node.names)
        )
    ]


def test_the_environments_model_is_the_librarys_alone():
    """`OPENAI_API_KEY` can come from nowhere but a memory that a program opened itself."""
    assert importers("environment") == ["memory/api/library.py"]
    assert importers("library") == ["memory/api/client.py", "memory/api/sync.py"]


def test_no_test_folder_is_a_package():
    """With importlib mode two test files may have one name only if no folder is a package."""
    assert not list((ROOT / "tests").rglob("__init__.py"))


def own_names(text):
    """Imports of a folder by its own name, which would load a second copy of each module."""
    found = []
    for node in ast.walk(parsed(text)):
        names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        found += [name for name in names if name.split(".")[0] in PACKAGES]
    return found


def test_modules_are_imported_by_their_installed_names():
    """In a checkout the folders could be found as well: as other modules of the same files."""
    everywhere = (*PACKAGES, "recollect", "tests", "benchmarks", "tools")
    mentions = rf"(?m)^\s*(import|from)\s+({'|'.join(PACKAGES)})\b"
    found = {
        path: names for path, text in sources(mentions, everywhere) if (names := own_names(text))
    }
    assert found == {}
