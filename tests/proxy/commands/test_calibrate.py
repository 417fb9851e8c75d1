"""`recollect calibrate`: thresholds from labelled pairs."""

import json

import pytest

from recollect.memory.calibration import load_calibrations
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import EmbeddingError
from recollect.proxy.cli import main
from tests.support.folding import rows

EMBEDDER = "fake-words-384"


@pytest.fixture
def kept(tmp_path):
    """Where the result is."""
    return tmp_path / "data" / "calibration.json"


def rows_of(relevant=20, unrelated=20, same=0):
    """So many rows of each label, as a person writes them."""
    rows = [
        {"query": f"what about tea {n}", "memory": f"likes tea {n}", "relevant": True}
        for n in range(relevant)
    ]
    rows += [
        {"query": f"what about tea {n}", "memory": f"owns car {n + 500}", "relevant": False}
        for n in range(unrelated)
    ]
    for n in range(same):
        old = f"lives in town {n}"
        rows += [
            {"old": old, "new": f"{old}!", "same": True},
            {"old": old, "new": f"moved to town {n + 500}", "same": "update"},
            {"old": old, "new": f"plays guitar {n + 500}", "same": False},
        ]
    return rows


@pytest.fixture
def file(tmp_path):
    """Write labelled rows, and say where."""

    def write(*rows, encoding="utf-8"):
        path = tmp_path / "pairs.jsonl"
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("\n".join(lines), encoding=encoding)
        return str(path)

    return write


def test_both_kinds_of_rows(file, kept, capsys):
    """The thresholds are shown and kept, with the embedder they belong to."""
    assert main(["calibrate", file(*rows_of(same=20))]) == 0
    found = load_calibrations(kept)[EMBEDDER]
    assert 0 < found.floor < found.recall < found.ceiling <= 1
    assert found.update <= found.same <= 1.1
    assert found.dim == 384
    assert json.loads(kept.read_text())[EMBEDDER]["counts"]["update"] == 20
    shown = capsys.readouterr()
    assert f"{EMBEDDER}, 384 dimensions" in shown.out
    assert "recall   0.100  100.0%" in shown.out
    assert f"{found.recall:.3f}" in shown.out
    assert "100 of 100" in shown.err
    assert str(kept) in shown.err


@rows(
    "rows, said",
    [
        ([*rows_of(), {"query": "q", "memory": "m", "relevant": "yes"}], "line 41: relevant"),
        ([*rows_of(), "{"], "line 41"),
        (rows_of(unrelated=19), '"relevant": false'),
        (rows_of(same=3), '"same": true'),
        ([], "there are none"),
        ([row | {"relevant": not row["relevant"]} for row in rows_of()], "swapped"),
    ],
)
def test_rows_that_cannot_be_used(file, kept, capsys, rows, said):
    """The line and the field are named, and nothing is written."""
    assert main(["calibrate", file(*rows)]) == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert "nothing was changed" in shown
    assert not kept.exists()


def test_a_broken_result_file_is_told_before_the_work(file, kept, capsys, environ):
    """Nobody waits for an hour of embedding to hear that the result cannot be kept."""

    async def refuse(_options):
        raise AssertionError

    environ.setattr("recollect.memory.engine.opening.open_embedder", refuse)
    kept.parent.mkdir()
    kept.write_text("{}}")
    assert main(["calibrate", file(*rows_of())]) == 1
    assert str(kept) in capsys.readouterr().err
    assert kept.read_text() == "{}}"


def test_an_embedder_that_fails(file, kept, capsys, environ):
    """Half a measurement is none."""

    class Failing(FakeEmbedder):
        async def embed(self, texts):
            raise EmbeddingError("the server is away")

    async def open_failing(_options):
        return Failing()

    environ.setattr("recollect.memory.engine.opening.open_embedder", open_failing)
    assert main(["calibrate", file(*rows_of())]) == 1
    assert "the server is away" in capsys.readouterr().err
    assert not kept.exists()
