"""Where the thresholds of `memory/calibration.py` come from, for the local embedder.

Two tables from the development sets in ../shared/data (evaluation only, see its README):
- zones: for the conflict set, what each pair of (update, same) thresholds would decide;
- recall: for LoCoMo, how far a question is from its evidence and from the other turns;
- languages: for our own development rows, the scale of the cosines of each language.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from load import write_json  # noqa: E402
from unseen import sets  # noqa: E402

from recollect.memory.calibration import Calibration, Scale, calibration_for  # noqa: E402
from recollect.memory.calibration.derive import scale_of  # noqa: E402
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402
from recollect.memory.learn.reconcile import Neighbour, reconcile  # noqa: E402
from recollect.memory.types import Candidate, MemoryType  # noqa: E402


async def conflict_rows(embedder, path: Path) -> list[dict]:
    """Rows of the conflict set with the cosine of the new fact to each existing memory."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for row in rows:
        texts = [row["new"]["memory"], *(m["memory"] for m in row["existing"])]
        vectors = await embedder.embed(texts)
        row["neighbours"] = [
            Neighbour(m["id"], m["memory"], MemoryType(m["type"]), float(vectors[0] @ vector))
            for m, vector in zip(row["existing"], vectors[1:], strict=True)
        ]
    return rows


def zones(rows: list[dict], calibration: Calibration) -> Counter[str]:
    """How the reconciler's decisions compare with the labels."""
    seen: Counter[str] = Counter()
    for row in rows:
        new = Candidate(text=row["new"]["memory"], type=MemoryType(row["new"]["type"]))
        decision = reconcile(new, row["neighbours"], new_id="new", calibration=calibration)
        label, said = row["decision"], decision.event.value
        if said == "ADD":
            seen["right ADD" if label == "ADD" else "needless ADD"] += 1
        elif said == "NONE":
            seen["right NONE" if label == "NONE" else "lost fact"] += 1
        else:
            right = label in {"UPDATE", "DELETE"} and row["target"] == decision.memory_id
            seen["right UPDATE" if right else "wrong UPDATE"] += 1
    return seen


async def recall_distances(embedder, path: Path) -> dict[str, list[float]]:
    """Cosines of questions to evidence, and the best of each question to anything else."""
    evidence: list[float] = []
    others: list[float] = []
    for sample in json.loads(path.read_text("utf-8")):
        talk = sample["conversation"]
        turns = [
            t
            for k, v in talk.items()
            if k.startswith("session_") and isinstance(v, list)
            for t in v
        ]
        ids = [t["dia_id"] for t in turns]
        vectors = await embedder.embed([f"{t['speaker']}: {t['text']}" for t in turns])
        questions = [q for q in sample["qa"] if q["category"] != 5 and q["evidence"]][:60]
        asked = await embedder.embed([q["question"] for q in questions])
        for question, row in zip(questions, asked @ vectors.T, strict=True):
            gold = [ids.index(e) for e in question["evidence"] if e in ids]
            evidence += [float(row[g]) for g in gold]
            others += [float(x) for x in np.delete(row, gold)]
    return {"evidence": evidence, "others": others}


async def language_scales(embedder) -> dict[str, Scale]:
    """The scale of each language: questions to their evidence against the other memories."""
    scales = {}
    for store in sets.read(sets.OWN / "recall.jsonl"):
        asked = await embedder.embed([row["question"] for row in store["questions"]])
        told = await embedder.embed([memory["text"] for memory in store["memories"]])
        relevant = np.array(
            [[m["id"] in row["evidence"] for m in store["memories"]] for row in store["questions"]]
        )
        cosines = asked @ told.T
        scales[store["lang"]] = scale_of(cosines[relevant], cosines[~relevant])
    return scales


async def main(data: Path) -> int:
    if not (data / "conflict.dev.jsonl").exists():
        print(f"the evaluation data is not in {data}: name it with --data")
        return 2
    embedder = await open_embedder(
        LocalEmbedderOptions(model_dir=Path("~/.recollect/models").expanduser())
    )
    rows = await conflict_rows(embedder, data / "conflict.dev.jsonl")
    result: dict[str, object] = {"embedder": embedder.id, "zones": {}}
    print(f"{'update':>7} {'same':>6}  " + "  ".join(_COLUMNS))
    for update in (0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9):
        for same in (0.9, 0.95, 0.98):
            if same >= update:
                seen = zones(rows, Calibration(recall=0, update=update, same=same))
                result["zones"][f"{update}/{same}"] = seen
                print(
                    f"{update:7.2f} {same:6.2f}  "
                    + "  ".join(f"{seen[c]:{len(c)}d}" for c in _COLUMNS)
                )
    cosines = await recall_distances(embedder, data / "locomo-dev.json")
    print(f"\n{'threshold':>9}  evidence kept  other turns let through")
    for threshold in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        kept, through = (
            float(np.mean(np.array(cosines[k]) >= threshold)) for k in ("evidence", "others")
        )
        result[f"recall@{threshold}"] = [kept, through]
        print(f"{threshold:9.2f}  {kept:13.3f}  {through:22.3f}")
    print("\nlanguage  floor  ceiling  worth")
    for code, scale in (await language_scales(embedder)).items():
        result[f"language {code}"] = [scale.floor, scale.ceiling, scale.worth]
        print(f"{code:8}{scale.floor:7.3f}{scale.ceiling:9.3f}{scale.worth:7.2f}")
    print(f"\nin use: {calibration_for(embedder.id)}")
    print(f"written to {write_json('calibration', result)}")
    await embedder.close()
    return 0


_COLUMNS = ("right ADD", "needless ADD", "right NONE", "lost fact", "right UPDATE", "wrong UPDATE")

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    sys.exit(asyncio.run(main(parser.parse_args().data)))
