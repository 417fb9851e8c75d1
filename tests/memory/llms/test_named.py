"""The name of the model that answered."""

import pytest

from recollect.memory.llms.named import MAX_NAME_CHARS, NamedModel
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import ChatReply, ChatRequest, Message

ASKED = ChatRequest(messages=[Message(role="user", content="hi")])


class Answers:
    """Names that are answered in turn; an error is raised."""

    def __init__(self, *names):
        self._names = list(names)
        self.closed = False

    async def complete(self, _request):
        name = self._names.pop(0)
        if isinstance(name, Exception):
            raise name
        return ChatReply(text="x", model=name)

    async def close(self):
        self.closed = True


async def test_the_name_is_that_of_the_last_answer():
    """None before; the answer is the model's own, and so are errors and the end."""
    inner = Answers("a", ModelError("away"), "b" * 1000, None, "")
    model = NamedModel(inner)
    assert model.name is None
    assert (await model.complete(ASKED)).model == "a"
    assert model.name == "a"
    with pytest.raises(ModelError):
        await model.complete(ASKED)
    assert model.name == "a"
    assert len((await model.complete(ASKED)).model) == 1000
    assert model.name == "b" * MAX_NAME_CHARS
    for _ in range(2):
        await model.complete(ASKED)
        assert model.name is None
    await model.close()
    assert inner.closed
