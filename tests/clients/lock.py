"""Resolve the clients anew: `python -m tests.clients.lock [NAME...]`; all of them if none is named.

As with the locks of the product: hashes, and no word of where the packages came from.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.clients.environments import (
    MCP_BEFORE,
    NODE,
    PACKAGES,
    REQUIREMENTS,
    Client,
    clients,
    npm,
    run,
)

UV = Path(sys.executable).parent / "uv"


def lock(client: Client) -> None:
    """Write the lock of one client."""
    if client.is_node:
        with tempfile.TemporaryDirectory() as name:
            # Elsewhere: what is installed here would be kept as it is.
            folder = Path(name)
            shutil.copy(client.folder / "package.json", folder)
            options = ["--package-lock-only", "--omit-lockfile-registry-resolved"]
            run([*npm(), "install", *options, "--no-audit", "--no-fund"], folder)
            shutil.copy(folder / PACKAGES, client.folder)
        return
    options = ["--quiet", "--universal", "--generate-hashes", "--no-emit-index-url"]
    options += ["--no-annotate", "--no-header", "--python-version", "3.11", "--upgrade"]
    names = ["requirements.in", "--output-file", REQUIREMENTS]
    run([str(UV), "pip", "compile", *options, *names], client.folder)


def main() -> None:
    """Lock what is named, node first: its npm locks the node clients."""
    wanted = sys.argv[1:]
    for client in [NODE, MCP_BEFORE, *clients()]:
        if not wanted or client.name in wanted:
            lock(client)
            print(f"{client.name}: {client.package} {client.version}", flush=True)


if __name__ == "__main__":
    main()
