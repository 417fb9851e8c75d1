"""What wordings by a model and other weights bring to a search: evidence among the first hits.

    python -m benchmarks.wordings --data FOLDER [--base-url URL] [--model NAME] [--questions 100]

Stores the turns of one LoCoMo conversation as they are, and asks its answerable questions, the
first of them: as they are, with wordings and an answer that the model makes, and with other
weights (`fusion`). Without a base URL the tests' llama.cpp server answers (SmolLM2 135M). A row
has the share of the evidence among the first 5 and 10 hits, and for how many questions the model
made nothing usable. With `--no-model` only the weights are compared, in seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean
from typing import Any

from recollect.memory.api.wordings import WordingsWanted, worded
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.engine.options import DEFAULT_MODEL_DIR
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.recall import Query, Recaller, tuned
from recollect.memory.recall.constants import TUNING

sys.path.append(str(Path(__file__).parents[1]))
sys.path.append(str(Path(__file__).parent / "recall"))
# The benchmarks are scripts: mypy finds their siblings only with MYPYPATH.
from locomo import files, samples, turns  # type: ignore[import-not-found, unused-ignore]
from product import Engine, Filed  # type: ignore[import-not-found, unused-ignore]

KS = (5, 10)
ALONE = "the query alone"
MADE = WordingsWanted(count=3, passage=True)
"""What the model is asked for, in one call for each question."""
BY_MODEL = ("multi_query: 3", "hyde: true", "both")
_NONE = dict.fromkeys(TUNING.weights, 0.0)
FUSIONS = {
    "meaning only": {"weights": {**_NONE, "dense": 1}},
    "words only": {"weights": {**_NONE, "lexical": 1}},
    "meaning twice": {"weights": {"dense": 2 * TUNING.weights["dense"]}},
}


class Tally:
    """The shares of evidence that one way of searching found."""

    def __init__(self) -> None:
        self.found: dict[int, list[float]] = {k: [] for k in KS}
        self.failed = 0

    def row(self) -> dict[str, Any]:
        """What is printed of it."""
        return {f"evidence@{k}": fmean(self.found[k]) for k in KS} | {"failed": self.failed}


class Asking:
    """Asks the questions of one conversation in every way."""

    def __init__(self, recaller: Recaller, filed: Filed, model: OpenAIChatModel | None) -> None:
        self._recaller = recaller
        self._filed = filed
        self._model = model
        by_model = BY_MODEL if model is not None else ()
        self.tallies = {name: Tally() for name in (ALONE, *by_model, *FUSIONS)}

    async def ask(self, question: Any) -> None:
        """Ask one question."""
        await self._note(ALONE, question, Query(question.text))
        if self._model is not None:
            await self._ask_with_model(self._model, question)
        for name, fusion in FUSIONS.items():
            await self._note(name, question, Query(question.text, tuning=tuned(fusion)))

    async def _ask_with_model(self, model: OpenAIChatModel, question: Any) -> None:
        made = await worded(model, question.text, MADE)
        variants, passages = made.multi_query, made.hyde
        parts = ((variants, ()), ((), passages), (variants, passages))
        for name, (texts, answers) in zip(BY_MODEL, parts, strict=True):
            self.tallies[name].failed += not (texts or answers)
            await self._note(name, question, Query(question.text, texts, answers))

    async def _note(self, name: str, question: Any, query: Query) -> None:
        filed = self._filed
        got = await self._recaller.rank(filed.scope, query, most=max(KS), now=filed.now)
        sources = [filed.source_of[hit.item.id] for hit in got.ranked]
        for k in KS:
            share = len(set(sources[:k]) & question.evidence) / len(question.evidence)
            self.tallies[name].found[k].append(share)


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base-url", help="Of the model server.")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--no-model", dest="with_model", action="store_false")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--json", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        url = chosen.base_url
        if url is None and chosen.with_model:
            from tests.support.llama import LlamaServer

            url = stack.enter_context(LlamaServer()).base_url
        options = OpenAIChatOptions(base_url=url, model=chosen.model, api_key="k")
        model = OpenAIChatModel(options) if chosen.with_model else None
        embedder = await open_embedder(
            LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR.expanduser())
        )
        engine = await Engine.open(embedder)
        filed = await engine.file(turns(*samples(files(chosen.data))[0]))
        asking = Asking(engine.recaller(), filed, model)
        questions = [each for each in filed.conversation.questions if each.answerable]
        for question in questions[: chosen.questions]:
            await asking.ask(question)
        rows = {name: tally.row() for name, tally in asking.tallies.items()}
        for name, row in rows.items():
            print(f"{name:18}", " ".join(f"{key} {value:.3g}" for key, value in row.items()))
        if chosen.json:
            chosen.json.write_text(json.dumps(rows, indent=2))
        if model is not None:
            await model.close()
        await engine.close()
        await embedder.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
