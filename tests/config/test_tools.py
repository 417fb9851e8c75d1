"""Options of the tools."""

import pytest
from pydantic import ValidationError

from recollect.config.tools import ToolOptions


def test_nothing_is_injected_unless_asked_for():
    """A chat is what its client sent, and no model may release what is kept back."""
    options = ToolOptions()
    assert (options.inject, options.validates, options.names) == (False, False, None)


def test_a_name_that_is_no_tool_is_refused():
    """With the nearest name that is one."""
    with pytest.raises(ValidationError, match=r"names\n.*did you mean 'fact_search'"):
        ToolOptions(names=("fact_serch",))
    assert ToolOptions(names=("fact_search",)).names == ("fact_search",)
