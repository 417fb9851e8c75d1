"""`recollect tools`: what agents are offered."""

import json

import pytest

from recollect.memory.tools import TOOLS, ToolGuard
from recollect.proxy.cli import main

OFFERED = [tool.name for tool in TOOLS if tool.guard is not ToolGuard.PERSON]


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("RECOLLECT_DATA_DIR", str(tmp_path))


def test_the_schemas_are_those_of_openai(capsys):
    """As a request takes them, for the names that are asked for."""
    assert main(["tools", "--openai", "fact_search", "fact_remember"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["function"]["name"] for each in told] == ["fact_remember", "fact_search"]
    assert main(["tools", "--responses", "fact_search"]) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert (told["type"], told["name"]) == ("function", "fact_search")
    assert main(["tools", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["name"] for each in lines] == OFFERED


def test_the_settings_say_which(capsys, monkeypatch):
    """And a name that is no tool's is refused with the nearest."""
    monkeypatch.setenv("RECOLLECT_TOOLS__NAMES", '["fact_search"]')
    assert main(["tools"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["tools", "fact_serch"]) == 2
    assert "did you mean 'fact_search'" in capsys.readouterr().err
