"""The rules of users, in force at once in every process that shares the state."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ..database.changes import ChangeKind, ChangeLine
from ..database.user_rules import SqlUserRules
from ..model.errors import InvalidInputError
from ..model.scope import Scope
from ..recall import Withholding
from ..state.shared_log import SharedLog
from ..trust.policy import MOST_RULES, PolicyRule, wrong_places
from ..util.loops import repeat
from .feature_switches import FOLLOW_SECONDS
from .option_errors import problems_of
from .options import EngineOptions, told_all


class UserPolicies:
    """Keeps what users say beside the configuration: both count, and so the stricter."""

    def __init__(
        self,
        kept: SqlUserRules,
        withholding: Withholding,
        options: EngineOptions,
        log: SharedLog | None = None,
    ) -> None:
        """`log` tells what is set in other processes, and tells them."""
        self._kept, self._withholding, self._options = kept, withholding, options
        self._log = log
        if log is not None:
            log.elsewhere.append(self._heard)

    async def load(self) -> None:
        """Let count what is kept. Raises StateError; what counted before then stays."""
        seen = None
        while seen != self._withholding.changes:  # another process said more while it was read
            seen = self._withholding.changes
            found = await self._kept.read()
        self._count({who: _rules(rules) for who, rules in found.items()})

    async def follow(self) -> None:
        """Take over what other processes change, until cancelled."""
        await repeat(FOLLOW_SECONDS, self.load)

    def of(self, scope: Scope) -> list[dict[str, Any]]:
        """The rules of a user, as JSON values."""
        rules = self._withholding.of_users.get((scope.tenant, scope.user_id), ())
        return [rule.model_dump(mode="json", exclude_defaults=True) for rule in rules]

    async def set(self, scope: Scope, rules: Sequence[Mapping[str, Any]]) -> None:
        """Let these be a user's rules.

        Raises InvalidInputError, which names the field, and StateError: nothing was set, or other
        processes follow within `FOLLOW_SECONDS`.
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
        if self._log is not None:
            await self._log.tell([ChangeLine(ChangeKind.POLICY, scope, dumped)])

    def _heard(self, line: ChangeLine) -> None:
        if line.kind is ChangeKind.POLICY and isinstance(line.owner_ref, Scope):
            who = line.owner_ref.tenant, line.owner_ref.user_id
            others = {one: of for one, of in self._withholding.of_users.items() if one != who}
            # Rules of a later version cannot be read: `follow` says so.
            with contextlib.suppress(ValidationError):
                self._count(others | ({who: _rules(line.told)} if line.told else {}))

    def _count(self, every: Mapping[tuple[str, str | None], Sequence[PolicyRule]]) -> None:
        if every != self._withholding.of_users:
            self._withholding.of_users = every
            self._withholding.changes += 1


def _rules(told: Sequence[Any]) -> tuple[PolicyRule, ...]:
    return tuple(map(PolicyRule.model_validate, told))


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
