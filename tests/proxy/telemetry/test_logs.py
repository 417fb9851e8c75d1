"""The log of the process."""

import json
import logging
import sys
from datetime import datetime

import openai
import pytest

from recollect.config.server import TelemetryOptions
from recollect.memory.util.correlation import CORRELATION
from recollect.proxy.telemetry.fewer_lines import FewerLines
from recollect.proxy.telemetry.logs import JsonLines, configure_logging
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until


def test_logging_keeps_other_libraries_quiet():
    """Their information lines name requests of other services; our level is the configured one."""
    root = logging.getLogger()
    before, handlers = root.level, root.handlers[:]
    root.handlers.clear()
    try:
        configure_logging(TelemetryOptions(log_level="debug"))
        assert root.level == logging.DEBUG
        for name in ("httpx", "openai", "pymilvus", "aiohttp.access"):
            assert logging.getLogger(name).level == logging.WARNING
    finally:
        root.handlers[:] = handlers
        root.setLevel(before)


def test_what_every_request_says_is_written_now_and_then(capsys):
    """With how often it was said; another text, an error with its traceback, and news always."""
    handler = FewerLines()
    handler.setFormatter(logging.Formatter("%(message)s"))

    def said(text, *, at, level=logging.WARNING, error=None):
        record = logging.LogRecord("recollect.x", level, "", 0, "%s is slow", (text,), error)
        record.created = 1e9 + at
        handler.handle(record)
        assert record.getMessage() == f"{text} is slow"

    for second in range(10):
        said("it", at=second)
    said("that", at=9)
    said("it", at=10)
    said("it", at=30)
    said("it", at=20)  # the clock went back
    for _ in range(2):
        said("news", at=40, level=logging.INFO)
        said("error", at=40, error=(ValueError, ValueError(), None))
    lines = capsys.readouterr().err.splitlines()
    told = ["it is slow (10 times since the last line)", "it is slow", "it is slow"]
    assert lines[:5] == ["it is slow", "that is slow", *told]
    assert [line for line in lines[5:] if line != "ValueError"] == [
        "news is slow",
        "error is slow",
    ] * 2


def line_of(message, *values, error=None):
    """What the log writes, read again."""
    record = logging.LogRecord("recollect.x", logging.WARNING, "", 0, message, values, error)
    written = JsonLines().format(record)
    assert "\n" not in written
    return json.loads(written)


def test_a_line_of_json_has_what_a_line_of_text_has():
    """Time, severity, module and message, on one line whatever is in it, and the ids of its work.

    An error is told by kind and place: its message may quote a request.
    """
    working = CORRELATION.set(lambda: {"job": "j1"})
    line = line_of("said %r", "a\nb")
    CORRELATION.reset(working)
    assert (line["level"], line["job"]) == ("warning", "j1")
    assert (line["logger"], line["message"]) == ("recollect.x", "said 'a\\nb'")
    assert datetime.fromisoformat(line["time"]).tzinfo is not None
    said = "a secret"
    try:
        raise ValueError(said)
    except ValueError:
        line = line_of("failed", error=sys.exc_info())
    assert "ValueError" in line["error"]
    assert "a secret" not in json.dumps(line)
    assert "job" not in line


@pytest.mark.process
async def test_the_lines_of_a_chat_and_of_its_job_are_found_together(tmp_path):
    """By the conversation, in a product that writes JSON."""
    async with ScriptedModel() as upstream:
        settings = {
            "upstream__base_url": upstream.base_url,
            "embedder__backend": "fake",
            "telemetry__log_format": "json",
            "learn__every_turns": 1,
        }
        async with Product(tmp_path / "data", **settings) as product:
            said = [{"role": "user", "content": "My cat is called Turing."}]
            async with openai.AsyncOpenAI(base_url=product.base_url, api_key="k") as client:
                await client.chat.completions.create(model="m", messages=said)
            await until(lambda: any("job" in line for line in lines(product)))
        [chat] = [line for line in lines(product) if line["message"].startswith("chat outcome")]
        jobs = [line for line in lines(product) if "job" in line]
    assert jobs[0]["conversation"] == chat["conversation"]


def lines(product):
    """Its lines of JSON; what is said to a person at the start is no log."""
    return [json.loads(line) for line in product.log().splitlines() if line.startswith("{")]
