"""Where the thresholds of `memory/calibration/values.py` come from, for the local embedders.

    python benchmarks/calibration.py [--model minilm|use|pair]

Three tables from the development sets in ../shared/data (evaluation only, see its README):
- changes: for the conflict set, how far a fact is from the memory it replaces, and from others;
- recall: for LoCoMo, how far a question is from its evidence and from the other turns;
- languages: for our own development rows, the scale of the cosines of each language; more than one
  store of a language are pooled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from load import RESULTS, write_json  # noqa: E402
from recall.vectors import DiskEmbedder  # noqa: E402
from unseen import sets  # noqa: E402

from recollect.memory.calibration import Scale, calibration_for  # noqa: E402
from recollect.memory.calibration.derivation import same_threshold, scale_of, update_threshold  # noqa: E402
from recollect.memory.embedders import (  # noqa: E402
    LocalEmbedderOptions,
    embed_queries,
    open_embedder,
)
from recollect.memory.engine.options import DEFAULT_MODEL_DIR  # noqa: E402


async def changes(embedder, path: Path) -> dict[str, list[float]]:
    """Cosines of a new fact to the memory that it replaces, or says again, and to all others."""
    found: dict[str, list[float]] = {"update": [], "different": []}
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        [new] = await embedder.embed([row["new"]["memory"]])
        for memory, vector in zip(
            row["existing"],
            await embedder.embed([m["memory"] for m in row["existing"]]),
            strict=True,
        ):
            replaced = row["decision"] in {"UPDATE", "DELETE"} and memory["id"] == row["target"]
            if replaced or row["decision"] == "ADD":
                found["update" if replaced else "different"].append(float(new @ vector))
    return found


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
        asked = await embed_queries(embedder, [q["question"] for q in questions])
        for question, row in zip(questions, asked @ vectors.T, strict=True):
            gold = [ids.index(e) for e in question["evidence"] if e in ids]
            evidence += [float(row[g]) for g in gold]
            others += [float(x) for x in np.delete(row, gold)]
    return {"evidence": evidence, "others": others}


async def language_scales(embedder) -> dict[str, Scale]:
    """The scale of each language: questions to their evidence against the other memories."""
    seen = [sets.OWN / f"{name}.jsonl" for name in ("recall", "recall-2")]
    pooled = defaultdict(lambda: ([], []))
    for store in (store for path in seen for store in sets.read(path)):
        asked = await embed_queries(embedder, [row["question"] for row in store["questions"]])
        told = await embedder.embed([memory["text"] for memory in store["memories"]])
        relevant = np.array(
            [[m["id"] in row["evidence"] for m in store["memories"]] for row in store["questions"]]
        )
        cosines = asked @ told.T
        for kept, which in zip(pooled[store["lang"]], (relevant, ~relevant), strict=True):
            kept.append(cosines[which])
    return {
        code: scale_of(*(np.concatenate(each) for each in both))
        for code, both in sorted(pooled.items())
    }


async def main(data: Path, model: str) -> int:
    if not (data / "conflict.dev.jsonl").exists():
        print(f"the evaluation data is not in {data}: name it with --data")
        return 2
    options = LocalEmbedderOptions(model=model, model_dir=DEFAULT_MODEL_DIR.expanduser())
    embedder = DiskEmbedder(await open_embedder(options), RESULTS / "embeddings.db")
    pairs = await changes(embedder, data / "conflict.dev.jsonl")
    moved, other = (np.array(pairs[kind]) for kind in ("update", "different"))
    result: dict[str, object] = {
        "embedder": embedder.id,
        "update": update_threshold(moved, other),
        "same": same_threshold(np.concatenate([moved, other])),
    }
    print(
        f"update {result['update']}, same {result['same']}, of {len(moved)} and {len(other)} pairs"
    )
    cosines = await recall_distances(embedder, data / "locomo-dev.json")
    print(f"\n{'threshold':>9}  evidence kept  other turns let through")
    for threshold in (0.1, 0.15, 0.2, 0.225, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        kept, through = (
            float(np.mean(np.array(cosines[k]) >= threshold)) for k in ("evidence", "others")
        )
        result[f"recall@{threshold}"] = [kept, through]
        print(f"{threshold:9.2f}  {kept:13.3f}  {through:22.3f}")
    talk = scale_of(*(np.array(cosines[k]) for k in ("evidence", "others")))
    print(f"floor {talk.floor}, ceiling {talk.ceiling}, worth {talk.worth}")
    print("\nlanguage  floor  ceiling  worth")
    for code, scale in (await language_scales(embedder)).items():
        result[f"language {code}"] = [scale.floor, scale.ceiling, scale.worth]
        print(f"{code:8}{scale.floor:7.3f}{scale.ceiling:9.3f}{scale.worth:7.2f}")
    print(f"\nin use: {calibration_for(embedder.id)}")
    print(f"written to {write_json(f'calibration-{model}', result)}")
    await embedder.close()
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--model", default="pair", choices=("pair", "minilm", "use"))
    given = parser.parse_args()
    sys.exit(asyncio.run(main(given.data, given.model)))
