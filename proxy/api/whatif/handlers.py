"""The handler of `POST /v1/memories/whatif`: a request that spends money, and says how much.

The body's `max_calls` is the consent: without it nothing is sent, and no more is sent than it says.
"""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from recollect.memory import InvalidInputError
from recollect.memory.model.errors import ForbiddenError

from ...access.rights import Right
from ...chat.whatif.asking import NotAnsweredError, chat_body
from ...chat.whatif.trying import Spending, WhatIf, WhatIfDict
from ...dialects.body import NoPlaceError
from ...dialects.chat import CHAT
from ...errors import ProxyError
from ...transport.passthrough import Watch
from ..answers import detail
from ..operations import PREFIX, endpoint, operations_of
from ..request import ApiRequest
from .models import WhatIfBody

KEY_HEADER = "x-recollect-upstream-key"
"""Holds the credential for the model server; it is sent there, and kept nowhere."""
_MOST_KEY_CHARS = 4096


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

    @endpoint(
        "POST", f"{PREFIX}/whatif", WhatIfDict, Right.ADMIN, body=WhatIfBody, body_required=True,
    )  # fmt: skip
    async def whatif(self, request: ApiRequest) -> Any:
        """Ask the model with and without each memory that a chat would be given.

        Each call is a real one at temperature 0, with the credential in `x-recollect-upstream-key`,
        or else the one that `learn.llm` has for the same server. Nothing is learned.
        """
        values, scope = request.values, request.scope()
        raw = chat_body(values["messages"], values["model"], values["max_tokens"])
        key = self._key_of(request)
        if (refused := self._refused(raw, key)) is not None:
            return detail(400, refused.message)
        allowance = Spending(max_calls=values["max_calls"], seconds=values["seconds"])
        try:
            return await self._what_if.tried(scope, CHAT.parse(raw), key, allowance)
        except NoPlaceError as error:
            raise InvalidInputError("messages", str(error)) from None
        except NotAnsweredError as error:
            return detail(502, str(error))

    def _key_of(self, request: ApiRequest) -> SecretStr | None:
        given = request.http.headers.get(KEY_HEADER)
        if given is not None:
            return _checked(given)
        if self._key is not None and self._many_tenants and not request.grant.administers:
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


WHATIF_OPERATIONS = operations_of(WhatIfApi)
