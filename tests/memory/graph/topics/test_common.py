"""What statements of a user have in common is no topic."""

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import FakeEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.engine.options import DEFAULT_MODEL_DIR
from recollect.memory.graph.topics.clusters import Clusters
from recollect.memory.graph.topics.common import common_of
from recollect.memory.graph.topics.space import TopicSpace

STRANGERS = (
    "User's landlord is called Mr Novak.", "User loves jazz.", "User has a cat named Pixel.",
    "User has a dentist appointment on Friday.", "User plays the oboe.",
)  # fmt: skip
BREAD = (
    "User bakes sourdough bread on Sundays.", "User feeds the sourdough starter every evening.",
)  # fmt: skip


def test_an_embedder_that_nobody_measured_has_nothing_in_common():
    """Its vectors count as they are."""
    assert common_of(FakeEmbedder().id) is None


async def test_short_facts_of_one_user_are_not_one_topic():
    """Who they are about is no topic; bread is."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR))
    space = TopicSpace.of(embedder.id, embedder.dim, calibration_for(embedder.id, dim=embedder.dim))
    vectors = space.part(list(await embedder.embed([*STRANGERS, *BREAD])))
    await embedder.close()
    clusters = Clusters(vectors.shape[1], space.bounds)
    clusters.add(vectors)
    assert max(len(set(found) & {0, 1, 2, 4}) for found in clusters.found()) <= 2
    assert any({5, 6} <= set(found) for found in clusters.found())
