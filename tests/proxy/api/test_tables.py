"""All operations together."""

from collections import Counter

from recollect.proxy.access.own_paths import MEMORY_API, own_prefix
from recollect.proxy.api.mem0.server_routes import SERVER
from recollect.proxy.api.tables import ALL

EVERY = (*ALL, *SERVER)


def test_no_two_are_the_same():
    """Neither by method and path, nor by the name that the document calls them."""
    routes = Counter((each.method, each.path) for each in EVERY)
    names = Counter(each.handler.__name__ for each in EVERY)
    assert [what for what, count in (routes + names).items() if count > 1] == []


def test_every_path_is_ours():
    """So it never goes upstream, whether the API is on or off."""
    assert {own_prefix(each.path) for each in EVERY} <= set(MEMORY_API)
