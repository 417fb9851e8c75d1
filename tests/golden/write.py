"""Write the golden files of what a user sees; git shows what became of them.

    python -m tests.golden.write [cli.txt ...]

With names only these. A change belongs into CHANGELOG.md, or is a mistake.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.surfaces.place import Place, a_place

from . import library, stub, surfaces, walk

FOLDER = Path(__file__).parent
FILES: Mapping[str, Callable[[Place], str]] = {
    "cli.txt": surfaces.cli,
    "errors.txt": surfaces.error_codes,
    "library.txt": library.library,
    "mcp.json": surfaces.mcp,
    "metrics.txt": surfaces.metrics,
    "openapi.json": surfaces.openapi,
    "rights.txt": surfaces.rights,
    "tools.json": surfaces.tools,
    "walk.json": walk.walk,
    stub.PATH: stub.stub,
}

if __name__ == "__main__":
    with a_place() as opened:
        for chosen in sys.argv[1:] or FILES:
            (FOLDER / chosen).write_text(FILES[chosen](opened).rstrip() + "\n", "utf-8")
