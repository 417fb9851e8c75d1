"""Finds the time zone of a request: by header, body, configuration, else the server's."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.zones import ZONE, name_now, zone_named

from ..dialects.body import RequestBody

log = logging.getLogger(__name__)

TIMEZONE_HEADER = "x-recollect-timezone"


class Zones:
    """Sets the zone of each request (`memory.model.zones`)."""

    def __init__(self, usual: str | None) -> None:
        """`usual` is that of users who name none; None for the server's."""
        self._usual = usual
        self._told = 0

    def of_chat(self, headers: Mapping[str, str], body: RequestBody) -> str:
        """Set the zone of a chat; its name, "" for the server's. An unknown one is ignored."""
        for field, named in (
            (TIMEZONE_HEADER, headers.get(TIMEZONE_HEADER)),
            ("metadata.timezone", body.metadata("timezone")),
        ):
            try:
                if self._set(field, named):
                    return name_now()
            except InvalidInputError as error:
                self._told += 1
                # The first, tenth, hundredth: anybody can send wrong ones as fast as they like.
                if set(str(self._told)[1:]) <= {"0"} and str(self._told)[0] == "1":
                    log.warning("%d chats name an unknown time zone: %s", self._told, error)
        self._set("identity.timezone", self._usual)
        return name_now()

    def of_call(self, headers: Mapping[str, str], named: str | None) -> None:
        """Set the zone of a request to the memory API; `named` is what its fields name.

        Raises InvalidInputError that names the field or the header.
        """
        if not (
            self._set("timezone", named) or self._set(TIMEZONE_HEADER, headers.get(TIMEZONE_HEADER))
        ):
            self._set("identity.timezone", self._usual)

    @staticmethod
    def _set(field: str, named: str | None) -> bool:
        ZONE.set(zone_named(field, named) if named else None)
        return bool(named)
