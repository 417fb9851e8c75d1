"""What becomes of what people said: pairs of facts, an extractor's facts, secrets and decoys.

    python benchmarks/faithful/run.py [--data FOLDER]

Runs `pairs.py`, `evidence.py`, `decoys.py` and `origin.py` on the development rows and on our own
(`benchmarks/unseen/rows`), each in its own process. Exits with the highest of their statuses.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = ("pairs", "evidence", "decoys", "origin")


def main() -> int:
    """Run all of them with the same arguments."""
    statuses = []
    for part in PARTS:
        print(f"\n== {part}", flush=True)
        script = [sys.executable, str(HERE / f"{part}.py")]
        own = sys.argv[1:] if part != "origin" else []
        statuses.append(subprocess.run([*script, *own], check=False).returncode)
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
