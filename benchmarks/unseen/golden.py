"""Every decision on every row of the evaluation sets: what a move must not change.

    python benchmarks/unseen/golden.py record FILE [--data FOLDER]
    python benchmarks/unseen/golden.py compare FILE [--data FOLDER]

`record` writes one line for each row and judgement; `compare` decides again and prints, for each
judgement, how many rows changed, with the first of them. It exits with 1 if any did. The reconciler
and the recall take vectors, so their rows depend on the embedder's weights, not only on the code.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from learning import conflict  # noqa: E402 - the script runs without an installation
from unseen import judgements, sets  # noqa: E402 - the same

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.learn.reconcile import reconcile  # noqa: E402 - the same

Line = tuple[str, str, Any]
"""The judgement with its set, the row, and the decision."""
SHOWN = 5


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    wanted = parser.parse_args()
    absent = sets.absent(wanted.data)
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    lines = asyncio.run(decisions(wanted.data))
    if wanted.command == "record":
        with gzip.open(wanted.file, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        print(f"{len(lines)} decisions written to {wanted.file}")
        return 0
    with gzip.open(wanted.file, "rt", encoding="utf-8") as file:
        before = {(line[0], line[1]): line[2] for line in map(json.loads, file)}
    return compare(before, lines)


async def decisions(data: Path) -> list[Line]:
    """All decisions, in a fixed order."""
    return [*texts(data), *await reconciled(data)]


def texts(data: Path) -> Iterator[Line]:
    """The judgements that need no vectors."""
    for name in ("gate", "gate-external"):
        for row in sets.rows(data, name):
            messages = judgements.chat(sets.messages(row))
            yield f"gate {name}", sets.key(row), judgements.gate(messages)
            yield from _read(f"gate {name}", row, messages[-1].content)
    for row in sets.rows(data, "rewrite"):
        yield "rewrite", sets.key(row), judgements.rewritten(row)
    for row in sets.rows(data, "poison"):
        messages = judgements.chat(row["messages"])
        yield "judge poison", sets.key(row), judgements.suspicion(row["candidate"], messages)
        yield from _trusted("poison", row, row["candidate"])
    for row in sets.rows(data, "innocent"):
        said = judgements.chat([{"role": row["role"], "content": row["text"]}])
        yield "judge innocent", sets.key(row), judgements.suspicion(row["text"], said)
        yield from _trusted("innocent", row, row["text"])
        yield from _read("innocent", row, row["text"])
    for row in sets.rows(data, "secrets"):
        yield "redact secrets", sets.key(row), judgements.findings(row["text"], strict=True)
        yield from _trusted("secrets", row, row["text"])
    yield from _stores(data)


def _trusted(name: str, row: judgements.Row, text: str) -> Iterator[Line]:
    key = sets.key(row)
    yield f"judge_text {name}", key, judgements.suspicion_of_text(text)
    yield f"redacted {name}", key, judgements.redacted(text)
    yield f"cleaned {name}", key, judgements.cleaned(text)


def _read(name: str, row: judgements.Row, text: str) -> Iterator[Line]:
    yield f"read {name}", sets.key(row), judgements.reading(text)


def _stores(data: Path) -> Iterator[Line]:
    """What recall, gate, redaction and trust read in the memories and questions of the stores."""
    for name in sets.STORES:
        for store in sets.rows(data, name):
            for memory in store["memories"]:
                row = {"id": f"{store['id']} {memory['id']}"}
                yield from _read(name, row, sets.stored(memory))
                yield from _trusted(name, row, memory["text"])
            for question in store["questions"]:
                row = {"id": f"{store['id']} {question['id']}"}
                asked = judgements.chat([{"role": "user", "content": question["question"]}])
                yield f"gate {name}", sets.key(row), judgements.gate(asked)
                yield from _read(f"{name} questions", row, question["question"])


async def reconciled(data: Path) -> list[Line]:
    """The reconciler's decisions without a model."""
    models = Path("~/.recollect/models").expanduser()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=models))
    try:
        rows = await conflict.read_rows(data / conflict.FILE, embedder)
        calibration = calibration_for(embedder.id, dim=embedder.dim)
    finally:
        await embedder.close()
    return [
        (
            "reconcile",
            row.id,
            judgements.decided(
                reconcile(
                    row.candidate, row.neighbours, new_id="new", calibration=calibration, at=row.at
                )
            ),
        )
        for row in rows
    ]


def compare(before: dict[tuple[str, str], Any], lines: list[Line]) -> int:
    """Print the rows that changed; 1 if there are any."""
    seen: Counter[str] = Counter()
    changed: dict[str, list[str]] = {}
    for name, key, value in lines:
        seen[name] += 1
        old = before.pop((name, key), None)
        if old != json.loads(json.dumps(value)):
            changed.setdefault(name, []).append(f"{key}: {old} -> {value}")
    for name, total in sorted(seen.items()):
        print(f"{name:32}{len(changed.get(name, [])):>6} of {total} changed")
        for one in changed.get(name, [])[:SHOWN]:
            print(f"    {one[:300]}")
    for name, key in list(before)[:SHOWN]:
        print(f"gone: {name} {key}")
    return 1 if changed or before else 0


if __name__ == "__main__":
    sys.exit(main())
