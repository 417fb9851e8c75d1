"""The files of the dashboard by their paths. Pure, but for reading them once.

All of them but the page itself are below one folder whose name is the digest of all of them. So a
browser may keep them for ever, modules import each other by relative names, and the files of two
versions never meet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = "/dashboard"
STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
DIGEST = b"{digest}"
"""What the page has in place of the digest."""
MODULES = b"{modules}"
"""What it has in place of the links by which a browser asks for all modules at once: else it learns
of each only from the one that imports it."""
SCRIPTS = (".js", ".mjs")
KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".LICENSE": "text/plain",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """What is sent for a path."""

    body: bytes
    kind: str
    """The content type."""
    tag: str
    """Of the ETag, without quotes."""
    lasting: bool
    """Whether its path never stands for another content."""


def load(folder: Path = STATIC) -> Mapping[str, StaticFile]:
    """All files of the folder by their paths. Raises OSError."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    }
    digest = digest_of(found)
    page = found.pop(PAGE).replace(MODULES, _links(found)).replace(DIGEST, digest.encode())
    files = {
        f"{ROOT}/{digest}/{name}": _file(name, body, lasting=True) for name, body in found.items()
    }
    return files | dict.fromkeys((ROOT, f"{ROOT}/"), _file(PAGE, page, lasting=False))


def _links(names: Iterable[str]) -> bytes:
    paths = [f"{ROOT}/{DIGEST.decode()}/{name}" for name in names if name.endswith(SCRIPTS)]
    return "".join(f'<link rel="modulepreload" href="{path}">' for path in paths).encode()


def digest_of(files: Mapping[str, bytes]) -> str:
    """Another one if any name or content is another one."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(hashlib.sha256(name.encode()).digest())
        whole.update(hashlib.sha256(files[name]).digest())
    return whole.hexdigest()[:16]


def _file(name: str, body: bytes, *, lasting: bool) -> StaticFile:
    tag = hashlib.sha256(body).hexdigest()[:32]
    return StaticFile(body, KINDS[Path(name).suffix], tag, lasting)
