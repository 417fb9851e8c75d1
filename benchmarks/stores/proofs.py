"""Which tests prove what of each store: the rows and columns of the table in docs/stores.md.

A test is meant by a pattern of its id, as of `fnmatch`, below tests/memory/stores if it names no
folder of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

FOLDER = "tests/memory/stores/"
ISOLATION = "tests/isolation/test_engine.py"
COLUMNS = (
    "contract", "isolation", "keywords", "collections", "reindex", "shared", "workers", "alone",
    "snapshot", "copied",
)  # fmt: skip
"""`shared`: several processes use it at once; `workers`: those of one parent do; `alone`: a second
one is refused; `snapshot`: it is backed up while it is in use; `copied`: while it is not."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A store, and the tests of it."""

    title: str
    real: bool
    """Whether they run on what a user runs; else on an imitation of its API."""
    made_by: str
    """The file that starts or opens it for the tests."""
    tests: Mapping[str, Sequence[str]]
    """By column."""


def _suites(store: str, contract: Sequence[str], shelf: str, **more: Sequence[str]) -> dict:
    file = f"{store}/test_shelf.py::{shelf}::"
    return {
        "contract": [f"{store}/test_store.py::{name}::*" for name in contract],
        "collections": [f"{file}*"],
        "reindex": [f"{file}*reindex*"],
        **more,
    }


def _shared(store: str, shelf: str) -> list[str]:
    return [f"{store}/test_shelf.py::{shelf}::test_what_one_writes_another_reads_at_once"]


def _alone(store: str, shelf: str) -> list[str]:
    return [f"{store}/test_shelf.py::{shelf}::test_a_second_one_is_refused"]


def _people(store: str) -> list[str]:
    return [f"{ISOLATION}::test_in_other_stores[[]{store}]"]


def _copied(kind: str) -> list[str]:
    # A bracket is one for itself only within brackets.
    return [
        f"test_standing.py::test_a_folder_is_backed_up_and_restored[[]{kind}]",
        f"test_standing.py::test_a_folder_in_use_is_not_copied[[]{kind}]",
    ]


PROOFS: dict[str, Proof] = {
    "inmemory": Proof(
        "in memory",
        real=True,
        made_by="memory/stores/inmemory/store.py",
        tests={
            "contract": ["inmemory/test_store.py::TestInMemoryStore::*"],
            "isolation": [f"{ISOLATION}::test_in_memory"],
            "keywords": ["inmemory/test_store.py::TestKeywords::*"],
        },
    ),
    "milvus-lite": Proof(
        "Milvus Lite, a folder",
        real=True,
        made_by="memory/stores/milvus/lite.py",
        tests=_suites(
            "milvus",
            ["TestOnLite", "TestWithTermsOnLite"],
            "TestCollectionsOnLite",
            isolation=[f"{ISOLATION}::test_on_milvus_lite"],
            keywords=["milvus/test_store.py::TestKeywordsOnLite*::*"],
            alone=_alone("milvus", "TestAFolder"),
            workers=["milvus/test_shared_lite.py::*"],
            snapshot=[
                "milvus/test_lite_folder.py::test_the_process_that_serves_it_makes_a_snapshot"
            ],
        ),
    ),
    "milvus-server": Proof(
        "Milvus 2.3.5, a server",
        real=True,
        made_by="tests/support/servers.py",
        tests=_suites(
            "milvus",
            ["TestOnServer"],
            "TestCollectionsOnServer",
            isolation=[f"{ISOLATION}::test_on_a_milvus_server"],
            shared=_shared("milvus", "TestCollectionsOnServer"),
        ),
    ),
    "pgvector": Proof(
        "PostgreSQL with pgvector",
        real=True,
        made_by="tests/support/postgres_server.py",
        tests=_suites(
            "pgvector",
            ["TestPgvector"],
            "TestCollectionsInPostgres",
            isolation=_people("pgvector"),
            keywords=["pgvector/test_store.py::TestKeywords::*"],
            shared=_shared("pgvector", "TestCollectionsInPostgres"),
        ),
    ),
    "qdrant-folder": Proof(
        "Qdrant's client, a folder",
        real=True,
        made_by="memory/stores/qdrant/client.py",
        tests=_suites(
            "qdrant",
            ["TestInAFolder"],
            "TestCollectionsInAFolder",
            alone=_alone("qdrant", "TestCollectionsInAFolder"),
            copied=_copied("qdrant"),
        ),
    ),
    "qdrant-rest": Proof(
        "Qdrant, a server",
        real=False,
        made_by="tests/support/qdrant_server.py",
        tests=_suites(
            "qdrant",
            ["TestThroughRest"],
            "TestCollectionsThroughRest",
            isolation=_people("qdrant"),
            shared=_shared("qdrant", "TestCollectionsThroughRest"),
        ),
    ),
    "chroma-folder": Proof(
        "Chroma, a folder",
        real=True,
        made_by="memory/stores/chroma/client.py",
        tests=_suites(
            "chroma",
            ["TestInAFolder"],
            "TestCollectionsInAFolder",
            isolation=_people("chroma"),
            alone=_alone("chroma", "TestCollectionsInAFolder"),
            copied=_copied("chroma"),
        ),
    ),
    "chroma-server": Proof(
        "Chroma, a server",
        real=True,
        made_by="tests/support/chroma_server.py",
        tests=_suites(
            "chroma",
            ["TestOnAServer"],
            "TestCollectionsOnAServer",
            shared=_shared("chroma", "TestCollectionsOnAServer"),
        ),
    ),
}
"""By the names of `places.PLACES`."""


def counted(outcomes: Mapping[str, str]) -> dict[str, dict[str, dict[str, int]]]:
    """How many tests of each column ended how, by store. `outcomes` are by the ids of tests."""
    return {
        store: {column: _of(outcomes, patterns) for column, patterns in proof.tests.items()}
        for store, proof in PROOFS.items()
    }


def _of(outcomes: Mapping[str, str], patterns: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for test, outcome in outcomes.items():
        if any(fnmatchcase(test, full(pattern)) for pattern in patterns):
            found[outcome] = found.get(outcome, 0) + 1
    return found


def full(pattern: str) -> str:
    """The pattern from the root."""
    return pattern if pattern.startswith("tests/") else FOLDER + pattern
