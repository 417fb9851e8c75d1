"""Instruction files that stand in a user's message."""

import pytest

from recollect.memory.learn.firewall.dumps import cut_dumps

FILE = (
    "# AGENTS.md instructions for /srv/shop\n\nUse pnpm.\n\n## Style\n\n- tabs\n- no semicolons\n\n"
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (FILE, ""),
        (f"{FILE}Please fix my login test.", "Please fix my login test."),
        (f"{FILE}Why does the build fail?\nIt worked.", "Why does the build fail?\nIt worked."),
        (f"I live in Oslo.\n{FILE}", "I live in Oslo.\n"),
        (f"{FILE}---\nfix the login test", "fix the login test"),
        (f"{FILE}## My request\nfix the login test", "fix the login test"),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it", "fix it"),
        ("Contents of /srv/CLAUDE.md (project instructions):\n\nBe brief.\n", ""),
        ("## SOUL.md\n\nCalm and dry.\n", ""),
    ],
)  # fmt: skip
def test_the_file_goes_up_to_where_somebody_speaks(text, left):
    """A request's heading, a separator, a question or the first person end it."""
    assert cut_dumps(text).text == left


@pytest.mark.parametrize(
    "text",
    [
        "I wrote an AGENTS.md yesterday.",
        "# My week\n\nI ran 20 km.",
        "should CLAUDE.md be in git?",
        "# TOOLSHED\n\nnew roof in May",
        "# MEMORY leak\n\nthe app grows",
    ],
)
def test_speaking_of_files_is_no_dump(text):
    """Only the heading of such a file begins one."""
    assert cut_dumps(text) == (text, 0)
