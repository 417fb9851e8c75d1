"""Cuts out what clients add to the user's words."""

from recollect.memory.learn.firewall.context import cut_context, cut_dumps, cut_prompts
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("text, left", ROWS["wrappers go"])
def test_wrappers_go(text, left):
    """Context with its tags, and of the user's own words only the tags."""
    cut = cut_context(text)
    assert cut.text == left
    assert cut.pieces > 0


@rows("text", ROWS["what people write about them stays"])
def test_what_people_write_about_them_stays(text):
    """A tag in a sentence, or a common word as a tag, is no wrapper."""
    assert cut_context(text) == (text, 0)


FILE = (
    "# AGENTS.md instructions for /srv/shop\n\nUse pnpm.\n\n## Style\n\n- tabs\n- no semicolons\n\n"
)


@rows("text, left", [
        (FILE, ""),
        (f"{FILE}Please fix my login test.", "Please fix my login test."),
        (f"{FILE}Why does the build fail?\nIt worked.", "Why does the build fail?\nIt worked."),
        (f"I live in Oslo.\n{FILE}", "I live in Oslo.\n"),
        (f"{FILE}---\nfix the login test", "fix the login test"),
        (f"{FILE}## My request\nfix the login test", "fix the login test"),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it", "fix it"),
        ("Contents of /srv/CLAUDE.md (project instructions):\n\nBe brief.\n", ""),
        ("## SOUL.md\n\nCalm and dry.\n", ""),
    ])  # fmt: skip
def test_the_file_goes_up_to_where_somebody_speaks(text, left):
    """A request's heading, a separator, a question or the first person end it."""
    assert cut_dumps(text).text == left


@rows("text", ROWS["speaking of files is no dump"])
def test_speaking_of_files_is_no_dump(text):
    """Only the heading of such a file begins one."""
    assert cut_dumps(text) == (text, 0)


@rows("prompt", ROWS["prompts go"])
def test_prompts_go(prompt):
    """In each language of ours, with the orders that follow; who speaks afterwards is kept."""
    assert cut_prompts(f"{prompt}I live in Oslo.").text == "I live in Oslo."
    assert cut_prompts(prompt).text == ""


@rows("text", ROWS["what users ask for stays"])
def test_what_users_ask_for_stays(text):
    """Praise, and preferences that are no part of a prompt, are theirs."""
    assert cut_prompts(text) == (text, 0)
