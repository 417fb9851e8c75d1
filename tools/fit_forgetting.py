"""Write `memory/forget/by_chat/heads.npz`: what tells requests to forget, and agreements.

    python tools/fit_forgetting.py MODEL_DIR

Each head is a logistic regression over a vector of USE and the signs of the words, on
`tools/rows/forgetting.train.jsonl` and, for what is no request, on the messages of
`benchmarks/unseen/rows`. Run it after a change of the rows or of the
signs. The same rows give the same file on one kind of processor.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect.memory.embedders import (  # noqa: E402 - the path above
    LocalEmbedderOptions,
    open_embedder,
)
from recollect.memory.forget.by_chat.linear_heads import FILE  # noqa: E402
from recollect.memory.language.message.consent import reply_in  # noqa: E402
from recollect.memory.language.message.forgetting import wish_in  # noqa: E402
from recollect.memory.model.ports import Embedder  # noqa: E402

ROWS = Path(__file__).parent / "rows/forgetting.train.jsonl"
OTHERS = "benchmarks/unseen/rows"
MOST_CHARS = 400
OWN = 3.0
"""How much a row of ours weighs beside a message of another set."""
STIFF = 0.3
"""How much the squares of the weights cost: less fits the rows better and other text worse."""
SIGNED = 0.05
"""The same of the weights of signs, which are few."""

Signs = Callable[[str], Sequence[float]]


def messages() -> Iterator[str]:
    """What people say in the other sets, none of which asks to forget anything."""
    for path in sorted((ROOT / OTHERS).glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            said = [row.get(name) for name in ("text", "tell", "request")]
            said += [m["content"] for m in row.get("messages", [])[-1:] if "content" in m]
            yield from (each for each in said if isinstance(each, str))


def asked(text: str) -> Sequence[float]:
    """The signs of a sentence that may ask."""
    found = wish_in(text)
    assert found is not None, text
    return found.signs()


def answered(text: str) -> Sequence[float]:
    """The signs of an answer."""
    return reply_in(text, request="", asked="").signs()


async def features(embedder: Embedder, texts: Sequence[str], signs: Signs) -> np.ndarray:
    """A row for each text: its vector, its signs, and a constant."""
    vectors = [await embedder.embed(texts[at : at + 64]) for at in range(0, len(texts), 64)]
    whole = np.concatenate(vectors)
    whole = whole / np.linalg.norm(whole, axis=1, keepdims=True)
    told = np.array([[*signs(text), 1.0] for text in texts])
    return np.concatenate([whole, told], axis=1)


def fitted(rows: np.ndarray, right: np.ndarray, weights: np.ndarray, signs: int) -> np.ndarray:
    """The weights of a logistic regression, by Newton's method."""
    cost = np.full(rows.shape[1], STIFF)
    cost[-1 - signs : -1], cost[-1] = SIGNED, 1e-6
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (likely - right)) + cost * found
        bend = (rows * (weights * likely * (1 - likely))[:, None]).T @ rows + np.diag(cost)
        step = np.linalg.solve(bend, slope)
        found -= step
        if abs(step).max() < 1e-6:
            break
    return found.astype(np.float32)


async def heads(model_dir: Path) -> dict[str, np.ndarray]:
    """Each head by name."""
    kinds: dict[str, list[str]] = {}
    for row in map(json.loads, ROWS.read_text().splitlines()):
        kinds.setdefault(row["kind"], []).append(row["text"])
    known = set().union(*kinds.values())
    others = [text for text in dict.fromkeys(messages()) if len(text) <= MOST_CHARS]
    others = [text for text in others if text.strip() and text not in known]
    embedder = await open_embedder(LocalEmbedderOptions(model="use", model_dir=model_dir))

    async def head(
        right: Sequence[str], wrong: Sequence[str], signs: Signs, light: Sequence[str] = ()
    ) -> np.ndarray:
        texts = [*right, *wrong, *light]
        rows = await features(embedder, texts, signs)
        truth = np.array([1.0] * len(right) + [0.0] * (len(wrong) + len(light)))
        weights = np.array([OWN] * (len(right) + len(wrong)) + [1.0] * len(light))
        return fitted(rows, truth, weights, len(signs(texts[0])))

    def none(_text: str) -> Sequence[float]:
        return ()

    wishes, whole = kinds["wish"], kinds["every"]
    yes, no, aside, part = (kinds[name] for name in ("yes", "no", "aside", "part"))
    try:
        return {
            "asks": await head([*wishes, *whole], kinds["other"], asked, others),
            "whole": await head(whole, wishes, asked),
            "agrees": await head(yes, [*no, *aside, *part], answered),
            "part": await head(part, [*yes, *no, *aside], answered),
            "questions": await head(kinds["question"], kinds["remark"], none),
        }
    finally:
        await embedder.close()


def main() -> None:
    """Fit, write, and say how large it is."""
    parser = argparse.ArgumentParser(description="Fit the heads of spoken forgetting.")
    parser.add_argument("model_dir", type=Path)
    found = asyncio.run(heads(parser.parse_args().model_dir))
    path = ROOT / "memory/forget/by_chat" / FILE
    np.savez(path, **found)
    print(f"{path}: {', '.join(found)}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
