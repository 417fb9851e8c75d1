"""How much of what must not be stored is redacted, and what is redacted by mistake.

    python benchmarks/learning/secrets.py [--data DIR] [--speed]

Reads `secrets.dev.jsonl` (evaluation data, not part of the product) and prints a table. Exits with
2 without the data. `--speed` prints, without any data, the processor time that redaction takes: of
a usual turn in milliseconds, of hostile texts in seconds per million characters.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from recollect.memory.trust.redact import RedactOptions, Redactor  # noqa: E402 - the script runs without an installation
from recollect.memory.trust.redact.options import PersonalOptions  # noqa: E402 - the script runs without an installation
from tests.support.findings import find_personal, find_secrets  # noqa: E402 - the same

SOFT = ("email", "phone", "address")
"""Kinds of the data that a policy decides on."""
DEFAULT = RedactOptions()
STRICT = RedactOptions(
    personal=PersonalOptions(email="redact", phone="redact", address="redact", birth_date="redact")
)
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--speed", action="store_true", help="measure time, not quality")
    arguments = parser.parse_args()
    if arguments.speed:
        show_speed()
        return 0
    path = arguments.data / "secrets.dev.jsonl"
    if not path.is_file():
        print(f"evaluation data is missing: {path} (use --data)", file=sys.stderr)
        return 2
    show(measure(path))
    return 0


def measure(path: Path) -> dict[str, Any]:
    """Counts and totals over the rows of `path`.

    `redacted`: hard spans wholly removed, by kind and together; `touched`: rows and `none` spans
    that hold no secret and lost something; `soft`: email, phone, address under both policies;
    `missed`: the ids of rows where one of these went wrong.
    """
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    redacted: dict[str, list[bool]] = defaultdict(list)
    touched: list[bool] = []
    soft: dict[str, dict[str, list[bool]]] = {kind: defaultdict(list) for kind in SOFT}
    missed: list[str] = []
    for row in rows:
        default, strict = removed(row["text"], DEFAULT), removed(row["text"], STRICT)
        hard = {(s["kind"], covered(s, default)) for s in spans(row) if is_hard(s)}
        for span in spans(row):
            if is_hard(span):
                redacted[span["kind"]].append(covered(span, default))
            elif span["kind"] in SOFT:
                soft[span["kind"]]["keep"].append(covered(span, default))
                soft[span["kind"]]["redact"].append(covered(span, strict))
        decoys = [hit(span, default) for span in spans(row) if span["kind"] == "none"]
        wrong = any(decoys) if row["must_redact"] else bool(default)
        if decoys or not row["must_redact"]:
            touched.append(wrong)
        if wrong or not all(whole for _, whole in hard):
            missed.append(row["id"])
    everything = [whole for kind in redacted.values() for whole in kind]
    return {
        "rows": len(rows),
        "redacted": {kind: share(whole) for kind, whole in sorted(redacted.items())},
        "redacted_all": share(everything),
        "touched": share(touched),
        "soft": {kind: {p: share(v) for p, v in by.items()} for kind, by in soft.items()},
        "missed": missed,
    }


def spans(row: Row) -> list[Row]:
    return list(row["spans"])


def is_hard(span: Row) -> bool:
    return span["kind"] not in {*SOFT, "none"}


def removed(text: str, options: RedactOptions) -> set[int]:
    """The code points that `options` take away."""
    found = [*find_secrets(text), *find_personal(text, options.personal.redacted())]
    return {place for finding in found for place in range(finding.start, finding.end)}


def covered(span: Row, places: set[int]) -> bool:
    return all(place in places for place in range(span["start"], span["end"]))


def hit(span: Row, places: set[int]) -> bool:
    return any(place in places for place in range(span["start"], span["end"]))


def share(hits: list[bool]) -> tuple[int, int]:
    return sum(hits), len(hits)


def show(result: dict[str, Any]) -> None:
    print(f"secrets: {result['rows']} rows\n{'kind':16}{'wholly redacted':>22}")
    for kind, counts in [*result["redacted"].items(), ("all", result["redacted_all"])]:
        print(f"{kind:16}{percent(*counts):>22}")
    print(f"{'negatives touched':16}{percent(*result['touched']):>21}")
    for kind, by in result["soft"].items():
        for policy, counts in by.items():
            print(f"{kind + ', ' + policy:16}{percent(*counts):>22}")
    print("wrong: " + (", ".join(result["missed"]) or "none"))


USER = (
    "We would like to stay four nights near the river, and my sister comes with two children. " * 3
)
ANSWER = (
    "On the second day take the tram to Belem in the morning, before the crowds, and rest. " * 18
)
TRIGGERS = (
    ANSWER[:1300] + "Keep the password safe, use your key card, order 4929118200471635, PIN pad. "
)
HOSTILE = (  # one near-miss each, repeated
    "password is ", "pin 12 ", "4123 ", "seed apple ", "://a:@", "token:a ", 'password="',
    "sk-", "_token",
    "hunter2 is my password ", "my password is x1y2z3! ", "密码",
    "DE12 ", "123-45-6789 ", "login a/b ",
)  # fmt: skip
HOSTILE_CHARS = 50_000


def show_speed() -> None:
    redact = Redactor(DEFAULT).redact
    for name, text in (("usual turn", USER + ANSWER), ("with triggers", USER + TRIGGERS)):
        print(f"{name:28}{seconds(redact, text, 200) * 1e3:8.3f} ms")
    for unit in HOSTILE:
        text = (unit * HOSTILE_CHARS)[:HOSTILE_CHARS]
        print(f"{unit!r:28}{seconds(redact, text, 1) / HOSTILE_CHARS * 1e6:8.2f} s/MB")


def seconds(work: Callable[[str], object], text: str, times: int) -> float:
    """The best of five, by processor time: other processes do not count."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(times):
            work(text)
        best = min(best, (time.process_time() - start) / times)
    return best


def percent(count: int, total: int) -> str:
    return f"{count}/{total} ({count / total:.1%})" if total else "-"


if __name__ == "__main__":
    sys.exit(main())
