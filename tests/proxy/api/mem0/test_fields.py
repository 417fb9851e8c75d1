"""The fields of mem0's clients, with what each does here."""

import jsonschema
import pytest

from recollect.memory import InvalidInputError
from recollect.proxy.api.mem0 import fields
from recollect.proxy.api.tables import ALL, MEM0

VALUES = (None, "", [], {}, False, True, 0, 1, "x", ["x"], {"a": 1}, 1.5)


def test_idle_fields_are_marked_and_described():
    """Whoever reads the document learns what a field that chooses nothing is for."""
    seen = [field for operation in ALL for field in operation.fields.values() if field.idle]
    assert seen
    for field in seen:
        assert field.description[:8] in {"Accepted", "Not supp", "Kept for", "Only use"}, field.name


def test_unsupported_fields_take_what_their_schemas_say():
    """Nothing, or what changes nothing; all else is refused by the name."""
    seen = {f.name: f for o in MEM0 for f in o.body if f.description.startswith("Not supported")}
    assert {"app_id", "expiration_date", "categories", "reference_date"} <= seen.keys()
    for field in (*seen.values(), *fields.NOT_STORED):
        for value in VALUES:
            try:
                jsonschema.validate(value, field.schema)
                allowed = True
            except jsonschema.ValidationError:
                allowed = False
            if allowed and type(value) in {type(each) for each in field.schema["enum"]}:
                assert field.read(field.name, value) is None
            else:
                with pytest.raises(InvalidInputError) as caught:
                    field.read(field.name, value)
                assert caught.value.field == field.name


@pytest.mark.parametrize(
    "value",
    [None, [], {}, "x", [1], [{}], [{"memory_id": 5}], [{"memory_id": "a", "x": 1}],
     [{"memory_id": "a", "text": 5}], [{"memory_id": "a", "metadata": "x"}],
     [{"memory_id": "a"}] * (fields.MAX_BATCH + 1)],
)  # fmt: skip
def test_a_batch_is_read_before_anything_is_done(value):
    """One item that cannot be read refuses all of it."""
    with pytest.raises(InvalidInputError) as caught:
        fields.BATCH_UPDATES.read("memories", value)
    assert caught.value.field == "memories"


def test_feedback_in_their_words():
    """Very negative is negative; none is none; another word is refused."""
    read = fields.FEEDBACK.read
    assert [read("feedback", word) for word in ("POSITIVE", "VERY_NEGATIVE", None)] == [
        "positive",
        "negative",
        None,
    ]
    with pytest.raises(InvalidInputError):
        read("feedback", "meh")


def test_a_time_of_end_can_be_cleared_and_not_set():
    """Null says what is so anyway; a time is refused by its name."""
    assert fields.CLEARED.value({"expiration_date": None}) is True
    assert fields.CLEARED.value({}) is False
    with pytest.raises(InvalidInputError, match="expiration_date"):
        fields.CLEARED.value({"expiration_date": "2030-01-01"})
