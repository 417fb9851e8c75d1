"""mem0 as a library with nothing around it: adds memories, then searches when it is told to.

    python benchmarks/overhead/bare_mem0.py FOLDER TEXTS

Runs in mem0's own environment (`peers.mem0`). TEXTS is JSON of the memories by user and of the
questions. Its vector store is Qdrant in this process, on disk; its embedder hashes words, so that
no embedding is in the figures. Prints ``READY``; for each line with a number it makes so many
searches and prints their CPU and latencies (seconds) as JSON.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
import time
from pathlib import Path

DIM = 384
LIMIT = 10


class HashedWords:
    """Each word is a direction; costs some microseconds."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The sum of the words' directions, normalised."""
        del memory_action
        vector = [0.0] * DIM
        for word in text.lower().split():
            digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
            vector[int.from_bytes(digest, "big") % DIM] += 1.0
        size = sum(value * value for value in vector) ** 0.5 or 1.0
        return [value / size for value in vector]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        """Each of them."""
        return [self.embed(text, memory_action) for text in texts]


def opened(folder: Path):
    """mem0 with everything in this folder, and nothing reported to anyone."""
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "sk-mock"}
    from mem0 import Memory

    store = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": DIM}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": str(folder / "history.db"),
        }
    )
    memory.embedding_model = HashedWords()
    return memory


def main() -> None:
    folder, texts = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    memory = opened(folder)
    for user, said in texts["memories"].items():
        messages = [{"role": "user", "content": text} for text in said]
        memory.add(messages, user_id=user, infer=False)
    asked = itertools.cycle(texts["questions"])
    print("READY", flush=True)
    for line in sys.stdin:
        latencies, before = [], time.process_time()
        for user, question in itertools.islice(asked, int(line)):
            began = time.perf_counter()
            memory.search(question, filters={"user_id": user}, top_k=LIMIT)
            latencies.append(time.perf_counter() - began)
        spent = time.process_time() - before
        print(json.dumps({"cpu": spent, "latencies": latencies}), flush=True)


if __name__ == "__main__":
    main()
