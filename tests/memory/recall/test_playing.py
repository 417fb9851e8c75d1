"""Whether a text makes a model and its user play roles."""

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.recall.playing import EXAMPLES, PlayExamples
from tests.support.folding import rows


async def test_every_example_is_of_its_kind():
    """Of any embedder: the nearest sentence to a sentence is itself."""
    embedder = FakeEmbedder()
    examples = await PlayExamples.of(embedder)
    for kind, texts in EXAMPLES.items():
        for vector in await embedder.embed(texts):
            assert examples.plays(vector) is (kind in ("scenes", "invites")) or kind in (
                "ends",
                "within",
            )
            if kind == "ends":
                assert examples.ends(vector)


@rows("kind", EXAMPLES)
def test_there_are_enough_of_each_kind(kind):
    """And none is of two kinds."""
    others = {text for name, texts in EXAMPLES.items() if name != kind for text in texts}
    assert len(EXAMPLES[kind]) >= 10
    assert others.isdisjoint(EXAMPLES[kind])
