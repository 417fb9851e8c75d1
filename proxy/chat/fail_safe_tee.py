"""A tee that cannot break the answer that it reads."""

from __future__ import annotations

from ..errors import unexpected
from ..transport.relay import Tee


class FailSafeTee:
    """Wraps a tee. If it fails, the turn is lost, the log gets a number, and the answer continues.

    The pipeline handles failures of memory; this class handles defects around the pipeline.
    """

    def __init__(self, tee: Tee) -> None:
        self._tee: Tee | None = tee

    def feed(self, chunk: bytes) -> bool:
        if self._tee is None:
            return False
        try:
            return self._tee.feed(chunk)
        except Exception as error:  # noqa: BLE001 - logged; the client's answer must continue
            self._give_up(error)
            return False

    async def finish(self, *, complete: bool) -> None:
        if self._tee is None:
            return
        try:
            await self._tee.finish(complete=complete)
        except Exception as error:  # noqa: BLE001 - as above
            self._give_up(error)

    def abandon(self) -> None:
        if self._tee is None:
            return
        try:
            self._tee.abandon()
        except Exception as error:  # noqa: BLE001 - as above
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._tee = None
        unexpected(error, "the memory of an answer, which is lost")
