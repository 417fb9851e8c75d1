"""The log: one line for each record, without messages of errors, which may quote a request."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType


class WithoutText(logging.Formatter):
    """Formats errors as type and traceback, without messages, which may quote a request."""

    def format(self, record: logging.LogRecord) -> str:
        # Formatters cache the traceback text in the record; another formatter's has messages.
        record.exc_text = None
        line = super().format(record)
        record.exc_text = None
        return line

    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        kinds = []
        error = ei[1]
        while error is not None:
            frames = "".join(traceback.format_tb(error.__traceback__))
            kinds.append(f"{frames}{type(error).__name__}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nfrom\n".join(kinds)


def configure_logging(level: str) -> None:
    """Log lines to standard error: time, severity, module, message."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        WithoutText(
            "%(asctime)s %(levelname)-7s %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z"
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # Their log lines contain URLs of other services, and at debug level headers with cookies.
    clients = ("httpx", "httpx2", "httpcore", "httpcore2", "openai", "pymilvus")
    for name in (*clients, "aiohttp.access"):
        logging.getLogger(name).setLevel(logging.WARNING)
