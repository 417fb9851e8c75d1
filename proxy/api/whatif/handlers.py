"""The handler of `POST /v1/memories/whatif`: a request that spends money, and says how much.

The body's `max_calls` is the consent: without it nothing is sent, and no more is sent than it says.
"""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from aiohttp import web
from pydantic import SecretStr

from recollect.memory import InvalidInputError
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.operations.declaring import field
from recollect.memory.operations.fields import TEXT, judged, storable
from recollect.memory.operations.scope import ScopeIds

from ...access.rights import Right
from ...chat.whatif.asking import NotAnsweredError, chat_body
from ...chat.whatif.trying import BASES, Spending, WhatIf, WhatIfDict
from ...dialects.body import NoPlaceError
from ...dialects.chat import CHAT
from ...errors import ProxyError
from ...transport.passthrough import Watch
from ..answers import detail
from ..operations import PREFIX, handled_in, operation
from ..request import Call

KEY_HEADER = "x-recollect-upstream-key"
"""Holds the credential for the model server; it is sent there, and kept nowhere."""
_MOST_KEY_CHARS = 4096
MOST_CALLS = 16
MOST_TOKENS = 2048
USUAL_TOKENS = 256
MOST_SECONDS = 300
USUAL_SECONDS = 120


def _messages(name: str, value: Any) -> list[dict[str, Any]]:
    if not (
        isinstance(value, list)
        and 1 <= len(value) <= MAX_MESSAGES
        and all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in value)
    ):
        raise InvalidInputError(name, f"expected 1 to {MAX_MESSAGES} messages with a role each")
    return list(storable(value))


Messages = Annotated[
    list[dict[str, Any]],
    judged(_messages),
    field("The messages of the chat, as `/v1/chat/completions` takes them.", title="messages"),
]
MostCalls = Annotated[
    int,
    field(
        "Most requests to the model server: the chat twice, and once more without each memory, "
        "best first. Each costs what a chat costs, so there is no default.",
        title="how many requests to the model server may be made",
        ge=BASES,
        le=MOST_CALLS,
    ),
]


class WhatIfApi:
    """The handlers of `WHATIF_OPERATIONS`."""

    def __init__(
        self, what_if: WhatIf, key: SecretStr | None, watch: Watch, *, many_tenants: bool
    ) -> None:
        """`key` is the product's own for the model server; `watch` looks at what goes there."""
        self._what_if = what_if
        self._key = key
        self._watch = watch
        self._many_tenants = many_tenants

    @operation(
        f"POST {PREFIX}/whatif", Right.ADMIN, id="whatif", answer=WhatIfDict, body_required=True
    )
    async def whatif(
        self,
        call: Call,
        messages: Messages,
        model: Annotated[str, TEXT, field("The model that is asked.", title="the name of a model")],
        max_calls: MostCalls,
        max_tokens: Annotated[
            int, field("Most tokens of each answer.", high=MOST_TOKENS)
        ] = USUAL_TOKENS,
        seconds: Annotated[
            int, field("For all answers together.", high=MOST_SECONDS)
        ] = USUAL_SECONDS,
        **ids: Unpack[ScopeIds],
    ) -> WhatIfDict | web.Response:
        """Ask the model with and without each memory that a chat would be given.

        Each call is a real one at temperature 0, with the credential in `x-recollect-upstream-key`,
        or else the one that `learn.llm` has for the same server. Nothing is learned.
        """
        scope = call.owner.scope(**ids)
        raw = chat_body(messages, model, max_tokens)
        key = self._key_of(call)
        if (refused := self._refused(raw, key)) is not None:
            return detail(400, refused.message)
        allowance = Spending(max_calls=max_calls, seconds=seconds)
        try:
            return await self._what_if.tried(scope, CHAT.parse(raw), key, allowance)
        except NoPlaceError as error:
            raise InvalidInputError("messages", str(error)) from None
        except NotAnsweredError as error:
            return detail(502, str(error))

    def _key_of(self, call: Call) -> SecretStr | None:
        given = call.http.headers.get(KEY_HEADER)
        if given is not None:
            return _checked(given)
        if self._key is not None and self._many_tenants and not call.grant.administers:
            # One tenant must not spend what is another's.
            raise ForbiddenError(KEY_HEADER, "needed: this server's own key is its operator's")
        return self._key

    def _refused(self, body: bytes, key: SecretStr | None) -> ProxyError | None:
        """Why it must not go upstream: a token of this server is in it."""
        secret = b"" if key is None else key.get_secret_value().encode()
        return self._watch.in_body(body) or self._watch.in_body(secret)


def _checked(key: str) -> SecretStr:
    if not (key.isascii() and key.isprintable() and 0 < len(key) <= _MOST_KEY_CHARS):
        raise InvalidInputError(KEY_HEADER, "expected a credential of printable ASCII characters")
    return SecretStr(key)


WHATIF_OPERATIONS = handled_in(WhatIfApi)
