"""What gate, trust and redaction cost per turn, beside an older checkout of the product.

    python benchmarks/unseen/cost.py --baseline FOLDER [--data FOLDER] [--rounds 5]

Each round is a process of this checkout and one of the baseline, in turn, so that both meet the
same neighbours on the machine; the least of the rounds counts. A turn is a text of a development
set: the gate decides, `judge_text` judges and the redactor redacts it, and no text comes twice.
Prints the ratios and writes benchmarks/results/unseen-cost.json.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
WARM = 50
"""Turns before the measured ones: caches of words are not empty in a running process."""
MODULE = "recollect.proxy.app"
FIGURES = {
    "gate": "gate, ms a turn",
    "judge": "judge_text, ms a turn",
    "redact": "redact, ms a turn",
    "turn": "all three, ms a turn",
    "import": f"import of {MODULE}, CPU seconds",
    "first": "import, tables and first turn, CPU seconds",
    "rss_import": "RSS after the import, MB",
    "rss": "RSS at the end, MB",
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--baseline", type=Path, help="the checkout to compare with")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worker", nargs=2, type=Path, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.worker:
        print(json.dumps(measure(*wanted.worker)))
        return 0
    checkouts = {"now": ROOT}
    if wanted.baseline:
        checkouts["before"] = wanted.baseline.resolve()
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts.json"
        texts.write_text(json.dumps(turns(wanted.data)), "utf-8")
        rounds: dict[str, list[Mapping[str, float]]] = {name: [] for name in checkouts}
        for _ in range(wanted.rounds):
            for name, checkout in checkouts.items():
                rounds[name].append(run(checkout, texts))
    result = {
        name: {figure: min(one[figure] for one in found) for figure in FIGURES}
        for name, found in rounds.items()
    }
    show(result)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "unseen-cost.json").write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    return 0


def turns(data: Path) -> list[str]:
    """The texts, each once, in a fixed order."""
    found: dict[str, None] = {}
    for name in ("gate", "gate-external", "innocent", "secrets"):
        for line in (data / f"{name}.dev.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            text = row.get("text") or row.get("message") or row["messages"][-1]["content"]
            found[text] = None
    return list(found)


def run(checkout: Path, texts: Path) -> Mapping[str, float]:
    """One round of a checkout, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--worker", str(checkout), str(texts)],
        cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr}")
    found: Mapping[str, float] = json.loads(done.stdout)
    return found


def measure(checkout: Path, texts: Path) -> dict[str, float]:
    """The figures of this process."""
    # Not this folder, whose modules would be found in the place of the checkout's.
    sys.path[:1] = [str(checkout), str(checkout / "benchmarks")]
    before = time.process_time()
    __import__(MODULE)
    imported, rss_import = time.process_time() - before, rss()
    from unseen import judgements as own

    of: Any = own
    first, *rest = json.loads(texts.read_text("utf-8"))
    before = time.process_time()
    judged(of, first)
    started = time.process_time() - before
    for text in rest[:WARM]:
        judged(of, text)
    # Whether a full collection falls into a turn, and into which, is chance.
    gc.collect()
    gc.freeze()
    spent = dict.fromkeys(("gate", "judge", "redact"), 0)
    for text in rest[WARM:]:
        for name, nanoseconds in zip(spent, judged(of, text), strict=True):
            spent[name] += nanoseconds
    each = {name: total / 1e6 / len(rest[WARM:]) for name, total in spent.items()}
    return {
        **each, "turn": sum(each.values()), "import": imported, "first": imported + started,
        "rss_import": rss_import, "rss": rss(),
    }  # fmt: skip


def judged(of: Any, text: str) -> tuple[int, int, int]:
    """CPU nanoseconds of the gate, of the trust and of the redaction."""
    said = of.chat([{"role": "user", "content": text}])
    start = time.process_time_ns()
    of.gate(said)
    gated = time.process_time_ns()
    of.suspicion_of_text(text)
    judged_at = time.process_time_ns()
    of.redacted(text)
    return gated - start, judged_at - gated, time.process_time_ns() - judged_at


def rss() -> float:
    """Most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show(result: Mapping[str, Mapping[str, float]]) -> None:
    """A line for each figure."""
    before = result.get("before")
    for figure, name in FIGURES.items():
        now = result["now"][figure]
        beside = f"{before[figure]:>12.3f}{now / before[figure]:>8.2f}x" if before else ""
        print(f"{name:44}{now:>12.3f}{beside}")


if __name__ == "__main__":
    sys.exit(main())
