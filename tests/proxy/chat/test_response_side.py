"""What is noted from an answer. Threads over requests: test_responses_route.py."""

from tests.support.folding import rows

from ..chatting import BODY, COMPLETION, Chatting
from ..wire import response

KEY = "Authorization: Bearer sk-1"


async def test_a_rewrite_needs_the_credential_as_well():
    """Nothing is learned, but the next request's rewrite asks the same model by the same right."""
    options = {"learn": {"enabled": False}, "recall": {"rewrite": {"strategy": "llm"}}}
    async with Chatting(**options) as chatting:
        await chatting.ask(BODY, KEY)
        model = await chatting.models("local", "m")
        assert model.options.api_key.get_secret_value() == "sk-1"
        assert not await chatting.turns()


@rows(
    "options, headers", [({"learn": {"enabled": False}}, ()), ({}, ("x-recollect-memory: read",))]
)
async def test_nobody_needs_a_credential_where_nothing_is_learned(options, headers):
    """What is not used is not kept."""
    async with Chatting(**options) as chatting:
        await chatting.ask(BODY, KEY, *headers)
        assert (await chatting.models("local", "m"), chatting.wakes) == (None, 0)


async def test_only_an_answer_says_that_a_credential_is_good():
    """What the upstream refuses is noted for nothing, and the learner sleeps on."""
    async with Chatting(response(COMPLETION, status="401 Unauthorized")) as chatting:
        await chatting.ask(BODY, KEY)
        assert (await chatting.models("local", "m"), chatting.wakes) == (None, 0)
