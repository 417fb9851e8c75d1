"""The rules of users, in force at once here and within seconds in other processes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ..database.user_rules import SqlUserRules
from ..model.errors import InvalidInputError
from ..model.scope import Scope
from ..recall import Withholding
from ..trust.policy import MOST_RULES, PolicyRule
from ..util.loops import repeat

FOLLOW_SECONDS = 5.0
"""So often a process looks for what others changed."""


class UserPolicies:
    """Keeps what users say beside the configuration: both count, and so the stricter."""

    def __init__(self, kept: SqlUserRules, withholding: Withholding) -> None:
        self._kept, self._withholding = kept, withholding

    async def load(self) -> None:
        """Let count what is kept. Raises StateError; what counted before then stays."""
        found = await self._kept.read()
        every = {who: tuple(map(PolicyRule.model_validate, rules)) for who, rules in found.items()}
        if every != self._withholding.of_users:
            self._withholding.of_users = every
            self._withholding.changes += 1

    async def follow(self) -> None:
        """Take over what other processes change, until cancelled."""
        await repeat(FOLLOW_SECONDS, self.load)

    def of(self, scope: Scope) -> list[dict[str, Any]]:
        """The rules of a user, as JSON values."""
        rules = self._withholding.of_users.get((scope.tenant, scope.user_id), ())
        return [rule.model_dump(mode="json", exclude_defaults=True) for rule in rules]

    async def set(self, scope: Scope, rules: Sequence[Mapping[str, Any]]) -> None:
        """Let these be a user's rules.

        Raises InvalidInputError, which names the field, and StateError.
        """
        if not isinstance(rules, list | tuple) or len(rules) > MOST_RULES:
            raise InvalidInputError("rules", f"expected a list of at most {MOST_RULES} rules")
        said = [one for each in rules for one in _spelled(each)]
        read = [_read(number, each) for number, each in enumerate(said)]
        dumped = [rule.model_dump(mode="json", exclude_defaults=True) for rule in read]
        await self._kept.write(scope, dumped)
        await self.load()


def _spelled(said: Any) -> list[Any]:
    """The rules that one says; a terminal has them as JSON texts."""
    if isinstance(said, str):
        try:
            said = json.loads(said)
        except ValueError as error:
            raise InvalidInputError("rules", f"is not JSON: {error}") from None
    return said if isinstance(said, list) else [said]


def _read(number: int, said: Any) -> PolicyRule:
    try:
        return PolicyRule.model_validate(said)
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False)
        field = ".".join(["rules", str(number), *map(str, first["loc"])])
        raise InvalidInputError(field, first["msg"].removeprefix("Value error, ")) from None
