"""Our own failures as OpenAI clients read them."""

import json

import openai
import pytest

from proxy.errors import ProxyError, error_response, upstream_timeout, upstream_unreachable


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (upstream_unreachable(), 502, "upstream_unreachable"),
        (upstream_timeout(), 504, "upstream_timeout"),
        (ProxyError(400, "bad", "No \u00e9.", "messages"), 400, "bad"),
    ],
)
def test_the_shape(error, status, code):
    """Status, JSON, and an `error` object with all four keys; the type tells who is speaking."""
    response = error_response(error)
    assert (response.status, response.content_type) == (status, "application/json")
    body = json.loads(response.body)
    assert body == {
        "error": {
            "message": error.message,
            "type": "recollect_error",
            "param": error.param,
            "code": code,
        }
    }


def test_the_official_client_reads_it():
    """The openai library finds message, code and param where it looks for them."""
    body = json.loads(error_response(ProxyError(400, "bad", "No.", "messages")).body)["error"]
    error = openai.APIError("No.", request=None, body=body)
    assert (error.code, error.param, error.type) == ("bad", "messages", "recollect_error")
