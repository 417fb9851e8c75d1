"""What is printed of the quality: the table of FACTS.md with ours under it."""

from __future__ import annotations

from typing import Any

from locomo import CATEGORIES
from measures import BUDGETS, KS

OURS = "Recollect"

FACTS = {
    "dense only (what most peers do)": (0.352, 0.438, 0.542),
    "BM25, no stemming": (0.430, 0.507, 0.580),
    "RRF(dense, BM25)": (0.448, 0.530, 0.608),
    "BM25, stemmed, stop words": (0.528, 0.608, 0.683),
    "convex: dense + stemmed BM25": (0.555, 0.640, 0.718),
    "the same, also over previous + this turn": (0.598, 0.694, 0.766),
    "weights by search on the dev half": (0.702, 0.779, 0.835),
}
"""shared/FACTS.md: ten conversations, R@5, R@10, R@20."""
_WIDTH = 42
_HEAD = [f"R@{k}" for k in KS] + [f"in {n}" for n in BUDGETS]


def show(result: dict[str, Any]) -> None:
    """Everything about turns."""
    _methods(result)
    _categories(result["methods"][OURS])
    _adversarial(result["methods"])
    if result["every"] > 1:
        print("\nonly a sample of the questions: a few points up or down mean nothing here")


def _methods(result: dict[str, Any]) -> None:
    print("\nshare of evidence found, without category 5; `in 512`: by at most 512 injected tokens")
    print(f"{'FACTS.md, ten conversations':{_WIDTH}}" + "".join(f"{h:>9}" for h in _HEAD))
    for name, shares in FACTS.items():
        print(f"  {name:{_WIDTH - 2}}" + "".join(f"{x:9.3f}" for x in shares))
    about = result["data"]
    print(f"here, {about['conversations']} conversations, {about['questions']} questions")
    for name, method in result["methods"].items():
        _method(name, method["all"])


def show_facts(result: dict[str, Any]) -> None:
    """The rows of the other corpus."""
    about = result["data"]
    print(
        f"\nfacts read out of the sessions in place of turns: {about['memories']} memories, "
        f"{about['questions']} questions that have any, without category 5"
    )
    print(f"{'':{_WIDTH}}" + "".join(f"{h:>9}" for h in _HEAD))
    for name, method in result["methods"].items():
        _method(f"facts: {name}", method["all"])


def _method(name: str, found: dict[str, Any]) -> None:
    cuts = [f"R@{k}" for k in KS] + [f"within {n}" for n in BUDGETS]
    print(f"  {name:{_WIDTH - 2}}" + "".join(f"{found[cut]['recall']:9.3f}" for cut in cuts))


def show_foreign(corpora: dict[str, dict[str, Any]]) -> None:
    """What questions about somebody else's memories bring in, beside those about one's own."""
    print("\nas configured, on average for each question; foreign: of the next user's memories")
    print(
        f"{'':{_WIDTH}}" + "".join(f"{h:>10}" for h in ("asked", "nothing", "memories", "tokens"))
    )
    for corpus, result in corpora.items():
        for kind, row in result["kinds"].items():
            if row:
                print(
                    f"  {f'{corpus}: {kind}':{_WIDTH - 2}}{row['questions']:10d}"
                    f"{row['nothing']:10.3f}{row['memories']:10.2f}{row['tokens']:10.1f}"
                )


def _categories(ours: dict[str, Any]) -> None:
    last = ["tokens", "memories", "nothing", "p50 ms", "p95 ms"]
    print(f"\n{OURS} by category; from `tokens` on: as configured, on average for each question")
    print(f"{'':20}" + "".join(f"{h:>9}" for h in ["asked", *_HEAD, "found", *last]))
    for name in ["all", *CATEGORIES.values()]:
        if name not in ours or not ours[name]:
            continue
        row, now = ours[name], ours[name]["configured"]
        shares = [row[f"R@{k}"]["recall"] for k in KS]
        shares += [row[f"within {n}"]["recall"] for n in BUDGETS]
        print(
            f"{'all but adversarial' if name == 'all' else name:20}{now['questions']:9d}"
            + "".join(f"{x:9.3f}" for x in [*shares, now["recall"]])
            + f"{now['tokens']:9.1f}{now['memories']:9.2f}{now['nothing']:9.3f}"
            + f"{now['p50_ms']:9.2f}{now['p95_ms']:9.2f}"
        )


def _adversarial(methods: dict[str, Any]) -> None:
    rows, name = methods[OURS], CATEGORIES[5]
    if name not in rows or not rows[name]:
        return
    asked, others = rows[name]["configured"], rows["all"]["configured"]
    print(
        f"\nquestions without an answer: {asked['tokens']:.0f} tokens in {asked['memories']:.1f} "
        f"memories, nothing injected for {asked['nothing']:.1%}; "
        f"the others: {others['tokens']:.0f} in {others['memories']:.1f}, {others['nothing']:.1%}"
    )
    most = max(rows[k]["configured"]["most_tokens"] for k in ("all", name))
    print(f"largest message as configured: {most} tokens")
    for n in BUDGETS:
        most = max(rows[k][f"within {n}"]["most_tokens"] for k in ("all", name))
        if most > n:
            print(f"over budget: a message of {most} tokens for {n}")
