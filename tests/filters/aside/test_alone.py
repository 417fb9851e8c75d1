"""Whether a request is a client's own, told by itself."""

from recollect.filters.aside.alone import SURE, is_own, may_be_own, never
from tests.support.folding import rows

from .test_shape import exchange_of

SYSTEM, ASKED = "Name the chat.", "Which knife do I need?"
ROLES = "Name it.\nUser: hi\nAI: hello"


async def told(exchange, likeness):
    shape = may_be_own(exchange)
    return shape is not None and await is_own(shape, likeness)


def likeness(system=-1.0, asked=-1.0):
    async def told(text):
        return system if text == SYSTEM else asked

    return told


@rows(
    "messages, manner, system, asked, own",
    [
        ([("system", SYSTEM), ("user", ASKED)], {}, SURE, -1, True),
        ([("system", SYSTEM), ("user", ASKED)], {}, SURE - 0.01, 1, False),
        ([("system", SYSTEM), ("user", ROLES)], {}, SURE - 0.01, -1, True),
        ([("system", SYSTEM), ("user", ASKED)], {"tools": True}, 1, 1, False),
        ([("system", SYSTEM), ("user", ASKED)], {"tools": True, "forced": True}, 1, -1, True),
        ([("user", ASKED)], {}, -1, 1, False),
        ([("user", ASKED)], {"limit": 40}, -1, 0.2, True),
        ([("user", ASKED)], {"limit": 40}, -1, 0.0, False),
        ([("user", ROLES)], {"stream": True}, -1, 0.05, True),
        ([("user", "hi"), ("assistant", "hello"), ("user", ROLES)], {}, -1, 1, False),
        ([("user", "quota")], {"limit": 1}, -1, -1, True),
        ([("user", "quota?")], {"limit": 1}, -1, -1, False),
        ([("user", "Reply with OK")], {"limit": 8}, -1, 0.3, True),
        ([("user", "Am I vegan")], {"limit": 8}, -1, -0.3, False),
        ([("user", "hi"), ("assistant", "hello")], {}, 1, 1, False),
    ],
)
async def test_shape_and_likeness_decide_together(messages, manner, system, asked, own):
    """Likeness alone makes no request a client's; nor does any shape but a word with no room."""
    assert await told(exchange_of(*messages, **manner), likeness(system, asked)) is own


async def test_without_meaning_only_a_probe_is_told():
    """In doubt it is a chat."""
    assert not await told(exchange_of(("system", SYSTEM), ("user", ROLES), limit=9), never)
    assert await told(exchange_of(("user", "quota"), limit=1), never)
