"""All operations together."""

from collections import Counter
from pathlib import Path

from recollect.memory.operations.fields import is_idle
from recollect.proxy.access.reserved_paths import MEMORY_API, own_prefix
from recollect.proxy.api.tables import ALL, MEM0
from recollect.proxy.api.tables import SERVER_OPERATIONS as SERVER

EVERY = (*ALL, *SERVER)


def test_no_two_are_the_same():
    """Neither by method and path, nor by the name that the document calls them."""
    routes = Counter((each.method, each.path) for each in EVERY)
    names = Counter(each.id for each in EVERY)
    assert [what for what, count in (routes + names).items() if count > 1] == []


def test_every_path_is_ours():
    """So it never goes upstream, whether the API is on or off."""
    assert {own_prefix(each.path) for each in EVERY} <= set(MEMORY_API)


PAGE = (Path(__file__).parents[3] / "docs" / "migrating-from-mem0.md").read_text("utf-8")


def test_the_page_names_what_chooses_nothing():
    """Whoever sends a parameter of mem0 finds there what it does, and what is refused."""
    described = {name for each in MEM0 for name, field in each.fields.items() if is_idle(field)}
    described |= {name for each in SERVER for name, field in each.fields.items() if is_idle(field)}
    assert {name for name in described if f"`{name}`" not in PAGE} == set()
