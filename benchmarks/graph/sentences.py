"""Names, their kinds and their relations in single sentences: what is read right without a model.

Each row of `rows/sentences.jsonl` has a sentence with the names in it, what each is, and how they
are connected. The rows were written after the readers, and these not tuned to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from recollect.memory.graph.reading import GraphReading, read


def figures(rows: Iterable[dict], *, show: bool = False) -> dict[str, str]:
    """Shares with their counts, by what they are shares of."""
    count: Counter[str] = Counter()
    for row in rows:
        one = _counted(row, read(row["text"]))
        count.update(one)
        if show and one["wrong"]:
            print(f"  {row['id']} {row['text']}")
    return {
        "names found": _share(count["found"], count["names"]),
        "names that are some": _share(count["found"], count["found"] + count["others"]),
        "kinds right": _share(count["kinds"], count["found"]),
        "relations right": _share(count["related"], count["relations"]),
        "relations found": _share(count["related"], count["told"]),
    }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "-"


def _counted(row: dict, reading: GraphReading) -> Counter[str]:
    expected = row["entities"]
    mentions = [one for one in reading.mentions if not (one.only_known or one.is_user)]
    named = {one.name: one.kind.value for one in mentions if one.named}
    names = [one.name for one in reading.mentions]
    related = {(names[one.source], one.relation, names[one.target]) for one in reading.relations}
    told = {tuple(one) for one in row["relations"]}
    found = named.keys() & expected.keys()
    kinds = sum(named[name] == expected[name] for name in found)
    wrong = named != expected or related != told
    return Counter(
        names=len(expected), found=len(found), others=len(named) - len(found), kinds=kinds,
        relations=len(related), related=len(related & told), told=len(told), wrong=wrong,
    )  # fmt: skip
