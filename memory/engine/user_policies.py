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
from ..trust.policy import MOST_RULES, PolicyRule, wrong_places
from ..util.loops import repeat
from .option_errors import problems_of
from .options import EngineOptions, told_all

FOLLOW_SECONDS = 5.0
"""So often a process looks for what others changed."""


class UserPolicies:
    """Keeps what users say beside the configuration: both count, and so the stricter."""

    def __init__(
        self, kept: SqlUserRules, withholding: Withholding, options: EngineOptions
    ) -> None:
        self._kept, self._withholding, self._options = kept, withholding, options

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
        if scope.user_id is None:
            raise InvalidInputError("user_id", "expected: the rules are a user's own")
        said = [one for each in rules for one in _spelled(each)]
        read = [_read(number, each) for number, each in enumerate(said)]
        known = self._withholding.known
        wrong = wrong_places(read, known, "rules") if known else ()
        for field, why in (*wrong, *told_all(self._options, read, "rules")):
            raise InvalidInputError(field, why)
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
        [first, *_] = problems_of(error, PolicyRule)
        field = ".".join(["rules", str(number), *first.path]).removesuffix(".")
        raise InvalidInputError(field, first.text) from None
