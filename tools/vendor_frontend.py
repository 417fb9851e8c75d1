"""Fetches the dashboard's front-end libraries, and writes them and their lock.

`npm pack` brings the tarball of each package from the registry that npm is configured with. Its
SHA-512 must be the one that is pinned here; a new version is a change of this file. The files are
committed, so nobody needs npm to install or to run Recollect.

    python -m tools.vendor_frontend
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

STATIC = Path(__file__).parents[1] / "proxy/dashboard/static"
LOCK = STATIC.parent / "vendor.json"
FOLDER = "vendor"


@dataclass(frozen=True, slots=True)
class Package:
    """A package of npm, and which of its files are taken."""

    name: str
    version: str
    licence: str
    integrity: str
    """Of the tarball, as npm writes it: `sha512-` and base64."""
    files: dict[str, str]
    """A path in the tarball -> the name of the file here."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Text of the files -> what stands for it here. A browser does not know the names of packages,
    and a map of them would be an inline script, which the policy of the page forbids."""


PACKAGES = (
    Package(
        "preact",
        "11.2.0",
        "MIT",
        "sha512-/HfHI/7N84e6GrWBJ3J280z3mLaRJiDcSvj/A+y/4AbLnND/1UlGHe1sR6oYuTGwId0nP7dqDU9OnLxMPZ7xBg==",
        {
            "package/dist/preact.mjs": "preact.mjs",
            "package/hooks/dist/hooks.mjs": "hooks.mjs",
            "package/LICENSE": "preact.LICENSE",
        },
        {
            'from"preact"': 'from"./preact.mjs"',
            "//# sourceMappingURL=preact.mjs.map": "",
            "//# sourceMappingURL=hooks.mjs.map": "",
        },
    ),
    Package(
        "htm",
        "3.1.1",
        "Apache-2.0",
        "sha512-983Vyg8NwUE7JkZ6NmOqpCZ+sh1bKv2iYTlUkzlWmA5JD2acKoxd4KVxbMmxX/85mtfdnDmTFoNKcg5DGAvxNQ==",
        {"package/dist/htm.module.js": "htm.mjs", "package/LICENSE": "htm.LICENSE"},
    ),
)


def main() -> None:
    """Write the files and the lock."""
    (STATIC / FOLDER).mkdir(parents=True, exist_ok=True)
    LOCK.write_text(json.dumps([_vendored(each) for each in PACKAGES], indent=2) + "\n")


def _vendored(package: Package) -> dict[str, object]:
    """The entry of the lock for a package whose files were written."""
    written = {
        f"{FOLDER}/{package.files[path]}": _written(package, path, content)
        for path, content in _fetched(package).items()
    }
    return {
        "package": package.name,
        "version": package.version,
        "licence": package.licence,
        "integrity": package.integrity,
        "sha256": written,
    }


def _written(package: Package, path: str, content: bytes) -> str:
    for old, new in package.replaced.items():
        content = content.replace(old.encode(), new.encode())
    (STATIC / FOLDER / package.files[path]).write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def _fetched(package: Package) -> dict[str, bytes]:
    """The content of the files of a package. Raises ValueError if it is not the pinned one."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = f"{package.name}@{package.version}"
        subprocess.run(["npm", "pack", "--silent", wanted], cwd=folder, check=True)
        (tarball,) = Path(folder).glob("*.tgz")
        check(tarball.read_bytes(), package.integrity)
        with tarfile.open(tarball) as archive:
            return {path: _member(archive, path) for path in package.files}


def check(tarball: bytes, integrity: str) -> None:
    """Raises ValueError if the tarball is not the one that `integrity` was computed of."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    if found != integrity:
        raise ValueError(f"the tarball has the integrity {found}, expected {integrity}")


def _member(archive: tarfile.TarFile, path: str) -> bytes:
    found = archive.extractfile(path)
    if found is None:
        raise ValueError(f"{path} is no file")
    return found.read()


if __name__ == "__main__":
    main()
