"""All surfaces."""

from __future__ import annotations

from tests.surfaces import surface
from tests.surfaces.cli import Cli
from tests.surfaces.library import Library
from tests.surfaces.mcp import Mcp
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Mark

SURFACES = (Library, Rest, Cli, Mcp)


def told_on(*operations: str) -> Mark:
    """Run a scenario on each surface that offers these operations; it gets it as `surface`."""
    return surface.told_on(SURFACES, *operations)
