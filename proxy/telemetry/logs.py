"""The log: one line for each record, without messages of errors, which may quote a request.

A line of JSON also has the ids of the work that wrote it, so that the lines of one chat, one job or
one trace are found together.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from types import TracebackType

from recollect.config.server import TelemetryOptions
from recollect.memory.util.correlation import CORRELATION

from .fewer_lines import FewerLines

TIME = "%Y-%m-%dT%H:%M:%S%z"


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


class JsonLines(WithoutText):
    """One JSON object a line: `time`, `level`, `logger`, `message`, `error`, and ids."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, TIME),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps({**line, **CORRELATION.get()(), **_trace()}, ensure_ascii=False)


def _trace() -> Mapping[str, str]:
    """The ids of the current span, as OpenTelemetry writes them in logs; none without tracing."""
    if "opentelemetry.trace" not in sys.modules:
        return {}
    from opentelemetry import trace

    span = trace.get_current_span().get_span_context()
    if not span.is_valid:
        return {}
    return {"trace_id": f"{span.trace_id:032x}", "span_id": f"{span.span_id:016x}"}


def configure_logging(options: TelemetryOptions) -> None:
    """Log lines to standard error: time, severity, module, message."""
    text = WithoutText("%(asctime)s %(levelname)-7s %(name)s: %(message)s", datefmt=TIME)
    handler = FewerLines()
    handler.setFormatter(JsonLines() if options.log_format == "json" else text)
    logging.basicConfig(level=options.log_level.upper(), handlers=[handler])
    # Their log lines contain URLs of other services, and at debug level headers with cookies.
    clients = ("httpx", "httpx2", "httpcore", "httpcore2", "openai", "pymilvus", "mcp")
    for name in (*clients, "aiohttp.access"):
        logging.getLogger(name).setLevel(logging.WARNING)
