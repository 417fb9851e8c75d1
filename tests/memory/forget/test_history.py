"""History of what stays, without what goes."""

from dataclasses import replace

from recollect.memory.forget.history import without
from recollect.memory.model.types import Doubt
from tests.memory.forget.parts import record


def test_the_sentences_of_a_reason_go_with_the_text():
    """Why it was held back stays, without the words."""
    doubt = Doubt("secrecy", "user", "hides it", "Bonn")
    held = replace(record("m", "Bonn"), reasons=(doubt,))
    [blank] = without([held], {"Bonn"})
    assert blank.reasons == (replace(doubt, sentence=""),)
    assert without([held], {"Rome"}) == [held]
