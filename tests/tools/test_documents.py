"""What `make docs` writes: current, and made of what the product has."""

import ast
import importlib.util
import inspect
import json
from copy import deepcopy
from dataclasses import fields
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from benchmarks.stores.places import PLACES
from benchmarks.stores.proofs import COLUMNS, FOLDER, PROOFS, counted, full

from recollect.memory.language.read import SECTIONS
from recollect.memory.tools import TOOLS
from recollect.memory.util.providers import providers
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows
from tools.vendor_frontend import LOCK, PACKAGES, check

ROOT = Path(__file__).parents[2]


@cache
def tool(name):
    """A program of `tools/` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name, *arguments):
    """The status of the program; some take their arguments, others look for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [f"{name}.py", *arguments])
        main = tool(name).main
        return main(list(arguments)) if inspect.signature(main).parameters else main()


@rows(
    "name, page, said",
    [
        ("document_languages", "PAGE", "| Polish |"),
        ("document_providers", "PAGE", "ANTHROPIC_API_KEY"),
        ("document_rights", "PAGE", "| admin |"),
        ("document_stores", "PAGE", " tests |"),
        ("document_tools", "PAGE", "| person |"),
        ("document_config", "YAML_FILE", "8787"),
        ("draw_flow", "TARGET", "Recollect"),
    ],
)
def test_pages_are_current_and_a_change_is_noticed(monkeypatch, tmp_path, name, page, said):
    """`make docs` would change nothing; a page that differs is found, and written."""
    module = tool(name)
    assert run(name, "--check") == 0
    text = getattr(module, page).read_text("utf-8")
    assert said in text
    stale = tmp_path / getattr(module, page).name
    stale.write_text(text.replace(said, "another"), "utf-8")
    monkeypatch.setattr(module, page, stale)
    if hasattr(module, "ROOT"):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    assert run(name, "--check") == 1
    assert run(name) == 0
    assert run(name, "--check") == 0
    monkeypatch.undo()


@rows("name", ["languages", "providers", "stores", "tools"])
def test_a_page_without_the_place_is_refused(name):
    """A mark that somebody deleted."""
    more = [{}] if name == "stores" else []
    with pytest.raises(ValueError, match="no place"):
        tool(f"document_{name}").page("# A page\n", *more)


def test_everything_is_in_its_table():
    """Each field of a language, each route with its right, each tool with its guard, once."""
    lines = tool("document_languages").sections_table().split("\n")
    for section, spec in SECTIONS.items():
        [line] = [each for each in lines if each.startswith(f"| `[{section}]` |")]
        for field in fields(spec.default_factory()):
            assert field.metadata["doc"].strip(), f"{section}.{field.name}"
            assert f"`{field.name}`" in line
    table = tool("document_rights").rights_table()
    for each in ALL:
        assert table.count(f"| `{each.method} {each.path}` | {each.right.word} |") == 1
    first, second = tool("document_tools").tools_table(), tool("document_tools").surfaces_table()
    for each in TOOLS:
        assert first.count(f"| `{each.name}` | {each.tier.value} | {each.guard.value} |") == 1
        assert second.count(f"| `POST /tools/{each.name}` |") == 1
    assert second.count("if a model is configured") == sum(each.needs_model for each in TOOLS)


def test_no_more_is_claimed_of_providers_than_a_test_proves():
    """A real server is one that a test of the suite runs, and every provider has its line."""
    lines = tool("document_providers").table().splitlines()[2:]
    told = {line.split("`")[1]: line for line in lines}
    assert list(told) == list(providers())
    real = tool("document_providers").REAL
    assert {name for name, line in told.items() if "| real server |" in line} == set(real)
    for place in real.values():
        assert "llama: LlamaAt" in (ROOT / place).read_text("utf-8")


def test_no_box_of_the_picture_lies_outside_or_on_another():
    """And the picture is one."""
    picture = tool("draw_flow")
    boxes = [each[:4] for each in picture.BOXES.values()]
    for n, (x, y, width, height) in enumerate(boxes):
        assert 0 <= x < x + width <= picture.WIDTH
        assert 0 <= y < y + height <= picture.HEIGHT
        for left, top, wide, high in boxes[:n]:
            beside = x + width <= left or left + wide <= x
            assert beside or y + height <= top or top + high <= y
    assert ET.parse(picture.TARGET).getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_what_is_vendored_is_what_was_pinned():
    """A new pin without a new run of the tool is noticed; a registry cannot replace a version."""
    locked = [
        (each["package"], each["version"], each["integrity"])
        for each in json.loads(LOCK.read_text())
    ]
    assert locked == [(each.name, each.version, each.integrity) for each in PACKAGES]
    with pytest.raises(ValueError, match="expected sha512-"):
        check(b"something else", PACKAGES[0].integrity)


@pytest.fixture
def record():
    """What was recorded of the suites of the stores."""
    return json.loads(tool("document_stores").RECORD.read_text("utf-8"))


def lines(record):
    """The line of each store."""
    return dict(zip(PROOFS, tool("document_stores").table(record).splitlines()[2:], strict=True))


def test_every_proof_of_a_store_is_a_test_that_exists():
    """A suite that was renamed or removed proves nothing any more; what is measured has a line."""
    assert set(PROOFS) == set(PLACES)
    assert {column for proof in PROOFS.values() for column in proof.tests} == set(COLUMNS)
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for store, proof in PROOFS.items():
        for pattern in (each for patterns in proof.tests.values() for each in patterns):
            file, name, *_ = full(pattern).split("::")
            tree = ast.parse((ROOT / file).read_text("utf-8"))
            there = [one.name for one in tree.body if isinstance(one, kinds)]
            wanted = name.partition("[")[0]
            assert any(fnmatchcase(one, wanted) for one in there), (store, pattern)


def test_what_failed_or_did_not_run_is_not_claimed(record):
    """One test of a suite that fails takes the claim away, and so does none; so it was recorded."""
    for store, columns in record["suites"].items():
        assert set(columns) == set(PROOFS[store].tests)
        assert all(set(found) == {"passed"} for found in columns.values())
    before = lines(record)
    worse = deepcopy(record)
    worse["suites"]["chroma-server"]["collections"]["failed"] = 1
    worse["suites"]["pgvector"]["keywords"] = {}
    worse["suites"]["qdrant-folder"]["alone"] = {"skipped": 1}
    worse["suites"]["milvus-lite"]["workers"] = {"passed": 3, "failed": 1}
    worse["filters"].pop("inmemory", None)
    worse["filters"]["milvus-lite"] = {"cases": 7, "differences": 2, "of other scopes": 1}
    after = lines(worse)
    for store in ("chroma-server", "pgvector"):
        assert after[store].count(" no |") == before[store].count(" no |") + 1
    for store, claim in (("qdrant-folder", "a second is refused"), ("milvus-lite", "workers")):
        assert claim in before[store]
        assert claim not in after[store]
    assert "not run" in after["inmemory"]
    assert "| 7, 3 wrong |" in after["milvus-lite"]


def test_outcomes_belong_to_the_store_that_they_are_of():
    """A test counts for the columns whose patterns it matches, and for no other store."""
    test = f"{FOLDER}chroma/test_shelf.py::TestCollectionsInAFolder::test_a_second_one_is_refused"
    found = counted({test: "passed", f"{FOLDER}shared/test_rows.py::test_x": "failed"})
    assert found["chroma-folder"]["alone"] == {"passed": 1}
    assert found["chroma-folder"]["collections"] == {"passed": 1}
    assert not any(found["chroma-server"].values())


def test_an_imitation_is_called_one(record):
    """What says that it is the real one starts no server of ours."""
    told = lines(record)
    for store, proof in PROOFS.items():
        source = (ROOT / proof.made_by).read_text("utf-8")
        imitates = "aiohttp" in source or "starlette" in source
        assert imitates is not proof.real, store
        assert ("imitation" in told[store]) is not proof.real
