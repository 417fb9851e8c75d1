import pytest
from pydantic import ValidationError

from recollect.memory.llms import OpenAIChatOptions


def test_defaults():
    """Without configuration it is OpenAI's own small model, without a key."""
    options = OpenAIChatOptions()
    assert (options.base_url, options.model, options.api_key) == (None, "gpt-4o-mini", None)


@pytest.mark.parametrize("wrong", [{"timeout_seconds": 0}, {"modell": "x"}])
def test_bad_values_are_refused_by_name(wrong):
    """A value out of range or an unknown key is an error that names it."""
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        OpenAIChatOptions(**wrong)
