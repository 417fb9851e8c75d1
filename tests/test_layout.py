"""Tests stand where their modules do, and no file grows beyond reading."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("proxy", "config", "filters", "memory")
MAX_LINES = 500
MAX_COLLABORATORS = 6

ELSEWHERE = {
    # Declarations without behaviour of their own.
    "filters/exchange.py": "what filters note; every filter's tests use it",
    "memory/model/errors.py": "exception classes",
    "memory/recall/index/statement_reader.py": "a protocol; tests/memory/statements/test_rows.py",
    "memory/model/ports.py": "protocols; the contract suites are their tests",
    "memory/model/graph.py": "values and a port; its contract suite is its test",
    "memory/graph/topics/topic.py": "values; tests/memory/graph/topics/test_drawing.py",
    "memory/model/costs.py": "the ports; tests/memory/state/contracts/ledger.py and standings.py",
    "memory/model/scope.py": "tests/proxy/access/test_identity.py and the contract suites",
    "memory/model/streaming.py": "a record; tests/memory/llms/test_streams.py",
    "memory/model/types.py": "values; the contract suites and tests/proxy/access/test_identity.py use every rule",
    "config/settings.py": "a composition; tests/config/test_default_yaml.py and test_load.py",
    "proxy/dialects/body.py": "what bodies share; tests/proxy/dialects/test_chat.py reads every field",
    "proxy/dialects/blocks.py": "tests/proxy/dialects/test_chat.py, test_responses_body.py",
    "proxy/dialects/dialect.py": "a protocol and a record",
    # Parts that only make sense together, tested through the one entrance they have.
    "memory/api/graph_results.py": "tests/memory/api/test_graph.py reads every key",
    "memory/api/changing.py": "tests/memory/api/test_changes.py and test_curation.py",
    "memory/api/curating.py": "tests/proxy/api/test_curation.py, with chats",
    "memory/language/message/asked.py": "tests/filters/gate/test_reasons.py",
    "memory/language/message/material.py": "tests/filters/gate/test_reasons.py, test_robustness.py",
    "memory/embedders/local/model.py": "tests/memory/embedders/local/test_embedder.py",
    "memory/embedders/local/session.py": "tests/memory/embedders/local/test_embedder.py",
    "memory/stores/forwarding.py": "its subclasses: test_reconnecting.py, recall/index/test_indexed_store.py",
    "proxy/api/models.py": "declarations; tests/proxy/api/test_fields.py reads every field",
    "memory/model/offers.py": "the port; tests/memory/state/contracts/offers.py",
    "memory/model/switches.py": "the port; tests/memory/state/contracts/switches.py",
    "memory/model/conversations.py": "the port; tests/memory/state/contracts/summaries.py",
    "memory/model/blocks.py": "the port; tests/memory/state/contracts/blocks.py",
    "memory/model/kept.py": "the port; tests/memory/stores/collections_contract.py",
    "memory/model/jobs.py": "values; tests/memory/state/contracts/jobs.py uses every rule",
    "memory/model/upkeep.py": "the port; tests/memory/state/contracts/runs.py",
    "memory/state/runs.py": "tests/memory/state/contracts/runs.py reads what every backend writes",
    "memory/upkeep/step.py": "a protocol and two records; tests/memory/jobs/test_upkeep.py",
    "memory/model/shares.py": "the port; tests/memory/state/contracts/attachments.py",
    "memory/model/sums.py": "the port; tests/memory/state/contracts/sums.py",
    "memory/tools/surface.py": "a protocol and a record",
    "proxy/chat/tooling/shapes.py": "tests/proxy/chat/tooling/test_loop.py, with both APIs",
    "memory/tools/tool.py": "tests/memory/tools/test_toolset.py and test_table.py",
    "memory/model/replicas.py": "the port; tests/memory/state/redis/test_replicas.py",
    "memory/model/admission.py": "the port; tests/memory/state/redis/test_admission.py",
    "memory/stores/opened.py": "a protocol; tests/memory/stores/test_init.py",
    "memory/stores/swapping.py": "a protocol; tests/memory/stores/milvus/test_swap.py",
    "memory/stores/inmemory/opening.py": "tests/memory/stores/test_init.py",
    "memory/stores/milvus/opening.py": "tests/memory/stores/milvus/test_swap.py",
    "memory/stores/pgvector/counting.py": "tests/memory/stores/pgvector/test_store.py",
    "memory/stores/pgvector/database.py": "tests/memory/stores/pgvector/test_lost.py",
    "memory/stores/pgvector/keywords.py": "tests/memory/stores/pgvector/test_store.py",
    "memory/stores/pgvector/preparing.py": "tests/memory/stores/pgvector/test_opening.py",
    "memory/stores/pgvector/reading.py": "tests/memory/stores/pgvector/test_store.py",
    "memory/stores/pgvector/schema.py": "tests/memory/stores/pgvector/test_opening.py",
    "memory/stores/pgvector/swap.py": "tests/memory/stores/pgvector/test_opening.py",
    "memory/stores/pgvector/sql.py": "tests/memory/stores/pgvector/test_where.py",
    "memory/stores/chroma/client.py": "tests/memory/stores/chroma/test_opening.py",
    "memory/stores/chroma/collection.py": "tests/memory/stores/chroma/test_opening.py",
    "memory/stores/chroma/points.py": "tests/memory/stores/chroma/test_store.py",
    "memory/stores/chroma/swap.py": "tests/memory/stores/chroma/test_opening.py",
    "memory/stores/qdrant/client.py": "tests/memory/stores/qdrant/test_opening.py",
    "memory/stores/qdrant/collection.py": "tests/memory/stores/qdrant/test_opening.py",
    "memory/stores/qdrant/points.py": "tests/memory/stores/qdrant/test_store.py",
    "memory/stores/qdrant/swap.py": "tests/memory/stores/qdrant/test_opening.py",
    "memory/stores/shared/fields.py": "limits; tests/memory/stores/shared/test_rows.py",
    "memory/stores/milvus/lite_server.py": "runs as a process; tests/memory/stores/milvus/test_lite.py",
}
TOGETHER = {
    # The methods of one class, by subject.
    "memory/api/calls": "tests/memory/api/test_client.py and those of each subject",
    # They make one thing together: the graph that follows every write.
    "memory/graph/linking": "tests/memory/graph/linking/test_same.py and its neighbours",
}


def modules():
    """Every module that has something to test."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.stem not in {"__init__", "options"}:
                yield path.relative_to(ROOT)


def is_mirrored(module):
    """Whether the module, or its folder as a whole, has a test file of its name."""
    folder = ROOT / "tests" / module.parent
    names = (f"test_{module.stem}.py", f"test_{module.parent.name}.py")
    return any((folder / name).exists() for name in names)


def test_every_module_has_its_tests():
    """Where they stand is known from the module's path, or said above with a reason."""
    missing = [
        module.as_posix()
        for module in modules()
        if not is_mirrored(module)
        and module.as_posix() not in ELSEWHERE
        and module.parent.as_posix() not in TOGETHER
    ]
    assert not missing


def test_the_exceptions_are_still_needed():
    """An exception goes when its module goes or gets a test file of its own."""
    known = {module.as_posix(): module for module in modules()}
    assert not [path for path in ELSEWHERE if path not in known or is_mirrored(known[path])]
    assert all((ROOT / folder).is_dir() for folder in TOGETHER)


def test_the_tests_that_are_named_exist():
    """The reasons above lead to real files."""
    for reason in (*ELSEWHERE.values(), *TOGETHER.values()):
        words = [word.strip(",;") for word in reason.split()]
        paths = [word for word in words if word.startswith("tests/")]
        assert all((ROOT / path).exists() for path in paths), reason


def test_every_test_has_its_module():
    """A test file of a module that is gone is gone too."""
    folders = {module.parent for module in modules()}
    lost = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in sorted((ROOT / "tests" / package).rglob("test_*.py"))
        if path.parent.relative_to(ROOT / "tests") not in folders
    ]
    assert not lost


def test_no_file_is_too_long():
    """A file that nobody reads to its end has more than one subject."""
    folders = (*PACKAGES, "tests", "tools", "benchmarks")
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        # What benchmarks install for comparison is not ours.
        if ".peers" not in path.parts
        if (lines := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert not long


def crowded(text):
    """Classes whose constructors take too many parameters; the clock is there for tests."""
    found = []
    for node in ast.walk(ast.parse(text)):
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                taken = [*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]
                names = {each.arg for each in taken} - {"self", "clock"}
                found += [node.name] * (len(names) > MAX_COLLABORATORS)
    return found


def test_constructors_take_a_handful():
    """More than six collaborators are two classes, or a thing that has no name yet."""
    texts = {path.as_posix(): (ROOT / path).read_text("utf-8") for path in modules()}
    assert {path: names for path, text in texts.items() if (names := crowded(text))} == {}


def test_a_crowded_constructor_is_noticed():
    """Positional or named, with or without defaults."""
    text = "class A:\n    def __init__(self, a, b, c, *, d, e=1, f=2, clock=0{}): ...\n"
    assert crowded(text.format("")) == []
    assert crowded(text.format(", g=3")) == ["A"]


def public_classes():
    """Where each public class of the product is defined."""
    found = {}
    for path in modules():
        for node in ast.parse((ROOT / path).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.as_posix())
    return found


def test_public_classes_have_names_of_their_own():
    """One name for one thing; the two databases are the same idea for two servers."""
    shared = {name: places for name, places in public_classes().items() if len(places) > 1}
    assert set(shared) == {"Database"}
