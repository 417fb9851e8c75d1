"""The newest wish of a matter holds, and no withdrawn one stands alone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.model.types import Provenance, Source, StoredMemory
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.matters import replaces
from recollect.memory.recall.options import ProfileOptions
from recollect.memory.recall.pinned import holding, pinned_wishes, profile_of
from recollect.memory.recall.prototypes import Prototypes
from tests.memory.recall.memories import item
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

ON = ProfileOptions()


@pytest.fixture
async def standing(models_dir):
    """What stands of texts that were said one after the other, by the real embedder."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=models_dir))
    prototypes = await Prototypes.of(embedder, calibration_for(embedder.id, dim=embedder.dim))

    async def of(*texts, source=Source.USER):
        vectors = await embedder.embed(texts)
        origin = Provenance(source=source)
        told = [replace(item(text, id=str(n)), provenance=origin) for n, text in enumerate(texts)]
        stored = [
            StoredMemory(replace(one, updated_at=one.updated_at + timedelta(days=number)), vector)
            for number, (one, vector) in enumerate(zip(told, vectors, strict=True))
        ]
        index = UserIndex.of(embedder.dim, stored)
        now = stored[-1].item.updated_at + timedelta(days=1)
        lines = holding(profile_of(index, stored[0].item.scope, prototypes), now)
        found = pinned_wishes(index, lines, ON)
        return [hit.item.text for hit in found.chosen]

    yield of
    await embedder.close()


@rows("rule, later", ROWS["what takes a wish back stands before it"])
async def test_what_takes_a_wish_back_stands_before_it(standing, rule, later):
    """A budget takes it first, so no withdrawn wish is shown alone."""
    found = await standing(rule, later)
    assert later in found
    assert rule not in found or found.index(later) < found.index(rule)


@rows("rule, later", ROWS["what tells of the user or orders work stands beside no wish"])
async def test_what_tells_of_the_user_or_orders_work_stands_beside_no_wish(standing, rule, later):
    """However near its words are."""
    assert await standing(rule, later) == [rule]


async def test_what_others_said_takes_no_wish_back(standing):
    """A text of a tool is no word of the user."""
    rule, later = "Always answer in French.", "No need to answer in French anymore."
    assert await standing(rule, later, source=Source.TOOL) == []


async def test_of_one_matter_the_newest_wish_stands(standing):
    """The same wish with another language, or another name."""
    assert await standing("Always answer in French.", "Always answer in German.") == [
        "Always answer in German."
    ]
    assert await standing("Call me Captain.", "Call me Boss from now on.") == [
        "Call me Boss from now on."
    ]


async def test_wishes_of_different_matters_all_stand(standing):
    """Comments in one language and answers in another are two matters."""
    told = [
        "Always answer in French.",
        "Always write code comments in English.",
        "Call me Captain.",
    ]
    assert set(await standing(*told)) == set(told)


def test_a_denial_replaces_nothing():
    """It stands beside what it denies."""
    assert replaces("Call me Boss.", "Call me Captain.", 0.0)
    assert not replaces("Don't call me Captain.", "Call me Captain.", 1.0)
    assert not replaces("Answer in German.", "Answer in French.", 0.3)
    assert not replaces("Use lists.", "Use short paragraphs.", 1.0)
