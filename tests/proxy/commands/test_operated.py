"""What a command of the table takes, and what its arguments become."""

import pytest

from recollect.memory.api.table import table
from recollect.proxy.cli import command_line, main
from recollect.proxy.commands.operated import request_of

PARTS = {each.part for each in table()} - {"", "graph", "jobs", "procedures", "topics"}
"""Of these not every operation is an action."""
OPERATIONS = {f"{each.part}.{each.word}": each for each in reversed(table())}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_operation_has_an_action(part, capsys):
    """A method that is declared can be called at a terminal, and its help tells its first line."""
    with pytest.raises(SystemExit):
        command_line().parse_args([part, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for name, each in OPERATIONS.items():
        if name.startswith(f"{part}."):
            assert each.summary[1:].replace("`", "") in told


@pytest.mark.parametrize(
    ("name", "said", "request_"),
    [
        (
            "blocks.append",
            {"label": "a/b", "text": "tea", "user_id": "ada"},
            ("/v1/memories/blocks/a%2Fb/append", "POST", {"text": "tea", "user_id": "ada"}),
        ),
        (
            "blocks.get",
            {"label": "ä", "user_id": "ada"},
            ("/v1/memories/blocks/%C3%A4?user_id=ada", "GET", None),
        ),
        (
            "conversations.erase",
            {"conversation_id": "c", "memories": True},
            ("/v1/memories/conversations/c?memories=true", "DELETE", None),
        ),
        (
            ".search",
            {"query": "tea", "kinds": ["said", "memory"], "filters": {"a": 1}},
            (
                "/v1/memories/search?query=tea&kinds=said%2Cmemory&filters=%7B%22a%22%3A+1%7D",
                "GET",
                None,
            ),
        ),
        (
            "shares.detach",
            {"memory_id": "m", "to": {"user_id": "bob"}},
            ("/v1/memories/m/shares?to=%7B%22user_id%22%3A+%22bob%22%7D", "DELETE", None),
        ),
    ],
)
def test_it_says_the_same_over_rest(name, said, request_):
    """Names in the path, the rest in the query or as JSON."""
    assert request_of(OPERATIONS[name], said) == request_


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (("blocks", "define", "plan", "--limit", "many"), "argument --limit: invalid int value"),
        (("blocks", "attach", "plan", "bob"), "argument to: expected NAME=VALUE, not 'bob'"),
        (("memories", "list", "--filters", "{"), "argument --filters: expected JSON, not '{'"),
        (("memories", "list", "--kinds", "all"), "argument --kinds: invalid choice: 'all'"),
        (("blocks", "apend", "plan", "tea"), "did you mean append?"),
        (("blocks", "append", "plan"), "the following arguments are required: TEXT"),
        (("shares", "attach", "m", "user_id=b", "--rights", "own"), "invalid choice: 'own'"),
    ],
)
def test_a_wrong_line_is_refused(line, told, capsys):
    """With the usage of the action, status 2, and before anything is opened."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_users_rules_are_set_before_anything_is_kept_and_taken_back(environ, capsys):
    """On the files of a new folder; that none are left is what was asked for, and no failure."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "9")
    own = ["--user", "ada"]
    rule = '{"to": ["cloud"], "send": "none"}'
    assert main(["memories", "set-policy", rule, *own]) == 0
    assert capsys.readouterr().out.strip() == '{"to": ["cloud"], "send": "none"}'
    wrong = '{"to": ["api.nobody.example"], "send": "none"}'
    assert main(["memories", "set-policy", wrong, *own]) == 2
    assert "rules.0.to.0: no model server is there" in capsys.readouterr().err
    assert main(["memories", "set-policy", "[]", *own]) == 0
    assert "no rules any more" in capsys.readouterr().err
    assert main(["memories", "policy", *own]) == 1
