"""What an operator sees of the server itself: its configuration, and two switches."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from recollect.config import Settings
from recollect.config.effective import SettingDict, effective
from recollect.memory import InvalidInputError
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.owner import Owner
from recollect.memory.operations.declaring import As, field

from ...access.rights import Grant, Right
from ...chat.chat_switches import ChatSwitches
from ..operations import PREFIX, handled_in, operation
from ..request import Call


class SwitchesDict(TypedDict):
    """What is in force: what the configuration has on, and nobody turned off."""

    recall: bool
    """Whether chats get memories."""
    learn: bool
    """Whether turns are captured and learned."""


class SettingsDict(TypedDict):
    """The configuration in force."""

    settings: list[SettingDict]
    switches: SwitchesDict


class OperatingApi:
    """The handlers of `OPERATING_OPERATIONS`."""

    def __init__(self, settings: Settings, switches: ChatSwitches) -> None:
        self._settings = settings
        self._switches = switches

    @operation(f"GET {PREFIX}/settings", Right.ADMIN, id="settings", of_all=True, tag="state")
    async def settings(self, call: Call) -> SettingsDict:
        """The configuration in force with where each value comes from; secrets are hidden."""
        _check_operates(call.grant, self._settings)
        return SettingsDict(settings=effective(self._settings), switches=self._on())

    @operation(
        f"POST {PREFIX}/switches",
        Right.ADMIN,
        id="switches",
        of_all=True,
        tag="state",
        body_required=True,
    )
    async def switches(
        self,
        call: Call,
        recall: Annotated[bool | None, As(bool), field("Whether chats get memories.")] = None,
        learn: Annotated[
            bool | None, As(bool), field("Whether turns are captured and learned.")
        ] = None,
    ) -> SwitchesDict:
        """Turn recall or learning off, and on again, for the whole server; it is kept."""
        _check_operates(call.grant, self._settings)
        asked = {"recall": recall, "learn": learn}
        if not any(on is not None for on in asked.values()):
            raise InvalidInputError("recall", "expected true or false for recall or learn")
        for name, allowed in self._switches.allowed.items():
            if asked[name] and not allowed:
                expected = f"is off in the configuration ({name}.enabled), and is turned on there"
                raise InvalidInputError(name, expected)
        await self._switches.board.turn(**asked)
        return self._on()

    def _on(self) -> SwitchesDict:
        on = self._switches.on
        return SwitchesDict(recall=on["recall"], learn=on["learn"])


OPERATING_OPERATIONS = handled_in(OperatingApi)


def _check_operates(grant: Grant, settings: Settings) -> None:
    """The server is its operator's: of one that serves several tenants, nobody's who has one."""
    identity = settings.identity
    own = identity.mode == "personal" and grant.owner == Owner(identity.tenant)
    if not grant.any_tenant and not own:
        raise ForbiddenError("Authorization", "only an admin token for every tenant may do this")
