"""The table of docs/stores.md."""

import ast
import importlib.util
import json
from copy import deepcopy
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from benchmarks.stores.places import PLACES
from benchmarks.stores.proofs import COLUMNS, FOLDER, PROOFS, counted, full

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """`tools/document_stores.py` as a module."""
    path = ROOT / "tools" / "document_stores.py"
    spec = importlib.util.spec_from_file_location("document_stores", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def record(tool):
    """What was recorded."""
    return json.loads(tool.RECORD.read_text("utf-8"))


def lines(tool, record):
    """The line of each store."""
    return dict(zip(PROOFS, tool.table(record).splitlines()[2:], strict=True))


def test_the_page_is_current(tool, capsys):
    """`make docs` would change nothing."""
    assert tool.main(["--check"]) == 0, capsys.readouterr().err


def test_a_change_is_noticed(tool, monkeypatch, tmp_path):
    """And the page is written; one without a place for the table is refused."""
    stale = tmp_path / "stores.md"
    stale.write_text(tool.PAGE.read_text("utf-8").replace(" tests |", " rests |"), "utf-8")
    monkeypatch.setattr(tool, "PAGE", stale)
    assert tool.main(["--check"]) == 1
    assert tool.main([]) == 0
    assert tool.main(["--check"]) == 0
    with pytest.raises(ValueError, match="no place"):
        tool.page("# Stores", {})


def test_every_store_has_a_line():
    """What can be measured is told of."""
    assert set(PROOFS) == set(PLACES)
    assert {column for proof in PROOFS.values() for column in proof.tests} == set(COLUMNS)


def test_every_proof_is_a_test_that_exists():
    """A suite that was renamed or removed proves nothing any more."""
    for store, proof in PROOFS.items():
        for patterns in proof.tests.values():
            for pattern in patterns:
                file, name, *_ = full(pattern).split("::")
                tree = ast.parse((ROOT / file).read_text("utf-8"))
                kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
                there = [one.name for one in tree.body if isinstance(one, kinds)]
                wanted = name.partition("[")[0]
                assert any(fnmatchcase(one, wanted) for one in there), (store, pattern)


def test_nothing_is_recorded_that_did_not_pass(record):
    """Each column of each store has tests that passed, and no other outcome."""
    assert {store: set(columns) for store, columns in record["suites"].items()} == {
        store: set(proof.tests) for store, proof in PROOFS.items()
    }
    for columns in record["suites"].values():
        assert all(set(found) == {"passed"} for found in columns.values())


def test_what_failed_or_did_not_run_is_not_claimed(tool, record):
    """One test of a suite that fails takes the claim away, and so does none."""
    before = lines(tool, record)
    worse = deepcopy(record)
    worse["suites"]["chroma-server"]["collections"]["failed"] = 1
    worse["suites"]["pgvector"]["keywords"] = {}
    worse["suites"]["qdrant-folder"]["alone"] = {"skipped": 1}
    worse["suites"]["milvus-lite"]["workers"] = {"passed": 3, "failed": 1}
    worse["filters"].pop("inmemory", None)
    after = lines(tool, worse)
    for store in ("chroma-server", "pgvector"):
        assert after[store].count(" no |") == before[store].count(" no |") + 1
    assert "a second is refused" in before["qdrant-folder"]
    assert "a second is refused" not in after["qdrant-folder"]
    assert "workers" in before["milvus-lite"]
    assert "workers" not in after["milvus-lite"]
    assert "not run" in after["inmemory"]


def test_a_wrong_answer_is_told(tool, record):
    """Differences from the reference, and memories of others, stand in the line."""
    record["filters"]["pgvector"] = {"cases": 7, "differences": 2, "of other scopes": 1}
    assert "| 7, 3 wrong |" in lines(tool, record)["pgvector"]


def test_outcomes_belong_to_the_store_that_they_are_of():
    """A test counts for the columns whose patterns it matches, and for no other store."""
    test = f"{FOLDER}chroma/test_shelf.py::TestCollectionsInAFolder::test_a_second_one_is_refused"
    found = counted({test: "passed", f"{FOLDER}shared/test_rows.py::test_x": "failed"})
    assert found["chroma-folder"]["alone"] == {"passed": 1}
    assert found["chroma-folder"]["collections"] == {"passed": 1}
    assert not any(found["chroma-server"].values())


def test_an_imitation_is_called_one(tool, record):
    """What says that it is the real one starts no server of ours."""
    told = lines(tool, record)
    for store, proof in PROOFS.items():
        imitates = "aiohttp" in (source := (ROOT / proof.made_by).read_text("utf-8"))
        imitates = imitates or "starlette" in source
        assert imitates is not proof.real, store
        assert ("imitation" in told[store]) is not proof.real
