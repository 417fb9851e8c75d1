"""Who is asked; that a proxy is asked and answers is in the tests of the commands."""

import argparse

import pytest

from recollect.config import load_settings
from recollect.memory.model.errors import ScopeError
from recollect.memory.model.types import Scope
from recollect.proxy.commands.api_client import (
    add_scope_to,
    scope_of,
)


def parsed(*arguments):
    parser = argparse.ArgumentParser()
    add_scope_to(parser)
    return parser.parse_args(arguments)


@pytest.mark.usefixtures("environ")
def test_whose_memories():
    """The ids that are given; else the user of a chat that names none, where there is one."""
    settings = load_settings()
    assert scope_of(settings, parsed()) == Scope(tenant="local", user_id="default")
    assert scope_of(settings, parsed("--agent", "a")) == Scope(tenant="local", agent_id="a")
    named_all = parsed("--user", "u", "--run", "r", "--tenant", "t")
    assert scope_of(settings, named_all) == Scope(tenant="t", user_id="u", run_id="r")


def test_without_a_default_user(environ):
    """In gateway mode nobody is meant by nothing."""
    environ.setenv("RECOLLECT_IDENTITY__MODE", "gateway")
    environ.setenv("RECOLLECT_IDENTITY__HASH_KEY", "h")
    environ.setenv("RECOLLECT_API__TOKEN", "t")
    with pytest.raises(ScopeError):
        scope_of(load_settings(), parsed())
