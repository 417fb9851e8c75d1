"""What every options model does with a wrong key."""

import pytest
from pydantic import BaseModel, ValidationError

from recollect.config import Settings
from recollect.memory.engine.options import MemoryOptions
from recollect.memory.model.strict import Options
from tests.support.folding import rows


def models(model):
    """The model and every model below it."""
    yield model
    for field in model.model_fields.values():
        for inner in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from models(inner)


MODELS = sorted({*models(Settings), *models(MemoryOptions)}, key=str)


@rows("model", MODELS)
def test_no_model_takes_a_key_that_nobody_knows(model):
    """A typing error is an error, not a default in silence."""
    assert model.model_config["extra"] == "forbid"
    assert model.model_config["frozen"]
    with pytest.raises(ValidationError, match="no_such_key"):
        model.model_validate({"no_such_key": 1})


def test_options_do_not_change():
    """A setting that somebody assigns later would be unchecked."""

    class Own(Options):
        number: int = 1

    with pytest.raises(ValidationError, match="frozen"):
        Own().number = 2
