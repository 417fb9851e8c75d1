"""What the memory API answers to requests that are made from the document that it serves.

    python benchmarks/fuzz_api.py [--cases 20000] [--embedded 2000] [--seed N]

schemathesis makes requests that fit the document and requests that do not, for every operation, and
looks at every answer: no 5xx, no status and no shape that the document does not know, and no body
accepted that it forbids. The product runs in this process, with its parts in memory and then with
the embedded store. Prints the figures and writes benchmarks/results/fuzz_api.json. Exits with 1 if
anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.hostile.facing import Facing  # noqa: E402 - the script runs without an installation
from tests.support.fuzzing import MODEL_REPLY, Fuzzer, figures  # noqa: E402
from tests.support.scripted import ScriptedModel  # noqa: E402

EMBEDDED = {"index__backend": "milvus", "database__url": "null"}
RESULT = ROOT / "benchmarks" / "results" / "fuzz_api.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--embedded", type=int, default=2_000, help="with the embedded store")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    logging.basicConfig(level="ERROR")
    result: dict[str, Any] = {"seed": options.seed}
    for name, cases, parts in (
        ("in memory", options.cases, {}),
        ("embedded", options.embedded, EMBEDDED),
    ):
        result[name] = asyncio.run(_fuzz(cases, options.seed, parts))
        print(name, json.dumps(result[name], indent=2), flush=True)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    runs = [result[name] for name in ("in memory", "embedded")]
    return int(any(run["server_errors"] or run["failures"] for run in runs))


async def _fuzz(cases: int, seed: int, parts: dict[str, str]) -> dict[str, Any]:
    started = time.monotonic()
    # Without a model, an addition of mem0's clients is a 503 by design.
    async with (
        ScriptedModel(MODEL_REPLY) as model,
        Facing(**parts, learn__llm__base_url=model.base_url) as facing,
    ):
        fuzzer = Fuzzer(f"http://127.0.0.1:{facing.port}", seed=seed)
        found = await asyncio.to_thread(fuzzer.run, cases)
    return figures(found) | {"seconds": round(time.monotonic() - started)}


if __name__ == "__main__":
    sys.exit(main())
