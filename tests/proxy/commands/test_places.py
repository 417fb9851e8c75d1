"""What `recollect check` says of where memories go."""

from pathlib import Path

import pytest

from recollect.config import load_settings
from recollect.filters import Place
from recollect.proxy.chat.placing.places import places_of
from recollect.proxy.commands.findings import found_by
from recollect.proxy.commands.places import check_places

BASE = "http://127.0.0.1:8080/v1"


@pytest.fixture
def settings(tmp_path: Path):
    """For a model server of which nothing is known."""
    return load_settings(
        environ={"RECOLLECT_DATA_DIR": str(tmp_path)}, flags={"upstream.base_url": BASE}
    )


async def test_what_was_refused_is_told(settings):
    """The model, the place, the status and when: what an operator needs to know."""
    places_of(settings).refused("qwen", Place.USER, 422)
    result = await found_by("places", check_places, settings)
    assert result.ok
    assert "model 'qwen': start, since user was refused with 422 at 2" in result.seen


async def test_a_model_that_takes_memory_nowhere_is_a_failure(settings):
    """With a way to find out more."""
    places = places_of(settings)
    for place in (Place.USER, Place.START):
        places.refused("odd", place, 400)
    result = await found_by("places", check_places, settings)
    assert not result.ok
    assert "'odd': nowhere" in result.seen
    assert result.mend
