"""The rules that hold the rooms apart, each with a proof that it would notice."""

import ast
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("proxy", "config", "filters", "memory")
TASK_STARTERS = {"create_task", "ensure_future"}


def sources():
    """Every module of the product with its path below the root."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def lint_imports(folder):
    """Run import-linter on the packages in a folder; the finished process."""
    binary = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    assert binary, "lint-imports is missing: install the development requirements"
    return subprocess.run(
        [binary, "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path):
    """The packages and their contracts in a folder where they may be broken."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in (*PACKAGES, "recollect"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignore, symlinks=True)
    return tmp_path


@pytest.mark.process
def test_imports_run_one_way():
    """Proxy -> config -> filters -> memory, and no HTTP server below the proxy."""
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("memory/planted.py", "from recollect.filters import Exchange", "Imports run one way"),
        ("memory/planted.py", "from recollect.config import Settings", "Imports run one way"),
        (
            "filters/planted.py",
            "from recollect.proxy.errors import answer_errors",
            "Imports run one way",
        ),
        ("config/planted.py", "import recollect.proxy.app", "Imports run one way"),
        ("proxy/transport/planted.py", "from ..dialects.chat import CHAT", "Transport carries"),
        (
            "proxy/planted.py",
            "from recollect.memory.recall.ranking import rank",
            "Above the engine",
        ),
        ("filters/planted.py", "import recollect.memory.stores.milvus.store", "Above the engine"),
        (
            "config/planted.py",
            "from recollect.memory.records.parts import Parts",
            "Above the engine",
        ),
        (
            "memory/model/planted.py",
            "from recollect.memory.recall import Recaller",
            "The rooms of memory",
        ),
        ("memory/planted.py", "import aiohttp", "The engine knows no HTTP server"),
        ("filters/planted.py", "from aiohttp import web", "The engine knows no HTTP server"),
    ],
)
@pytest.mark.process
def test_an_import_the_wrong_way_is_noticed(copy, module, line, contract):
    """A planted violation of each contract breaks it."""
    (copy / module).write_text(f"{line}\n")
    done = lint_imports(copy)
    assert done.returncode != 0
    assert any(contract in each and "BROKEN" in each for each in done.stdout.splitlines())


def task_starts(text):
    """Lines on which a task is started by hand."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in TASK_STARTERS)
        or (isinstance(node, ast.Name) and node.id in TASK_STARTERS)
        or (isinstance(node, ast.ImportFrom) and TASK_STARTERS & {n.name for n in node.names})
    ]


def environment_uses(text):
    """Whether a module reads the environment, and whether it writes it."""
    reads = writes = False
    targets = set()
    for node in ast.walk(ast.parse(text)):
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
    assert {path for path, text in sources() if task_starts(text)} == {"memory/util/tasks.py"}


@pytest.mark.parametrize(
    "text",
    [
        "import asyncio\nasyncio.create_task(x())",
        "from asyncio import create_task",
        "loop.create_task(x())",
        "import asyncio as a\na.ensure_future(x())",
    ],
)
def test_a_task_started_elsewhere_is_noticed(text):
    """In each way it can be written."""
    assert task_starts(text)


def test_the_environment_is_read_in_one_place():
    """Only the loader reads it, and one function of the library.

    Libraries that want a variable get it where they are imported.
    """
    uses = {path: environment_uses(text) for path, text in sources()}
    assert [path for path, (reads, _) in uses.items() if reads] == [
        "config/load.py",
        "memory/llms/environment.py",
    ]
    assert [path for path, (_, writes) in uses.items() if writes] == [
        "memory/embedders/local/session.py",
        "memory/stores/milvus/lite_server.py",
    ]


def importers(name):
    """The modules of the product that import a module of this name or a name from it."""
    return [
        path
        for path, text in sources()
        for node in ast.walk(ast.parse(text))
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import os\nx = os.environ['a']", (True, False)),
        ("import os\nx = os.environ.get('a')", (True, False)),
        ("import os\nx = os.getenv('a')", (True, False)),
        ("from os import environ", (True, False)),
        ("import os\nos.environ['a'] = '1'", (False, True)),
        ("import os\nos.environ.setdefault('a', '1')", (True, False)),
        ("import os\nos.fsync(1)", (False, False)),
    ],
)
def test_reading_the_environment_elsewhere_is_noticed(text, found):
    """In each way it can be written; setting a variable is told apart."""
    assert environment_uses(text) == found


def test_no_test_folder_is_a_package():
    """With importlib mode two test files may have one name only if no folder is a package."""
    assert not list((ROOT / "tests").rglob("__init__.py"))


def own_names(text):
    """Imports of a folder by its own name, which would load a second copy of each module."""
    found = []
    for node in ast.walk(ast.parse(text)):
        names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        found += [name for name in names if name.split(".")[0] in PACKAGES]
    return found


def test_modules_are_imported_by_their_installed_names():
    """In a checkout the folders could be found as well: as other modules of the same files."""
    folders = (*PACKAGES, "recollect", "tests", "benchmarks", "tools")
    found = {
        path.relative_to(ROOT).as_posix(): names
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (names := own_names(path.read_text("utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize("text", ["import memory.types", "from proxy.app import build_app"])
def test_a_folder_imported_by_its_own_name_is_noticed(text):
    """In each way it can be written."""
    assert own_names(text)
    assert (
        own_names(
            text.replace("import memory", "import recollect.memory").replace(
                "from proxy", "from .proxy"
            )
        )
        == []
    )
