"""Write the software bill of materials of an environment: CycloneDX 1.6, as JSON.

    PYTHON tools/sbom.py requirements.lock [--files FOLDER] [--output FILE]

PYTHON is that of the environment. Every package that is installed there is in the bill, with the
checksums that the lock allows for it; a package that the lock does not have, or has in another
version, is an error: the bill would not say what was built. `--files` adds other files, such as
weights, with their checksums. The same input gives the same bytes. Only the standard library is
used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

OWN = "recollect"
UNLOCKED = frozenset({OWN, "pip"})
"""What the lock does not have: the product, and what `python -m venv` brings along."""
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:(?P<digest>[0-9a-f]{64})")
_SPACE = uuid.UUID("4b4c2a1e-0d8e-5b7f-9a55-1f6c8f0c7d10")
"""Of the serial numbers, which depend on the content only."""


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package."""

    name: str
    version: str
    license: str = ""
    """As its author wrote it: an SPDX expression, or words."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that is no package."""

    name: str
    sha256: str


class UnlockedError(Exception):
    """The environment is not the one that the lock describes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bill; 1 if the environment is not that of the lock."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lock", type=Path)
    parser.add_argument("--files", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    files = [] if options.files is None else read_files(options.files)
    try:
        found = bill(read_lock(options.lock.read_text("utf-8")), installed(), files)
    except UnlockedError as error:
        print(f"sbom: {error}", file=sys.stderr)
        return 1
    text = json.dumps(found, indent=1, sort_keys=True) + "\n"
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, "utf-8")
    return 0


def read_lock(text: str) -> dict[tuple[str, str], list[str]]:
    """The allowed checksums of each name and version; a universal lock has several versions."""
    found: dict[tuple[str, str], list[str]] = {}
    digests: list[str] = []
    for line in text.splitlines():
        if pin := _PIN.match(line):
            digests = found.setdefault((normal(pin["name"]), pin["version"]), [])
        digests.extend(_HASH.findall(line))
    return found


def installed(found: Iterable[Distribution] | None = None) -> list[Package]:
    """The packages of the environment that runs this, in the order of their names."""
    packages = {
        normal(each.metadata["Name"]): Package(
            normal(each.metadata["Name"]), each.version, _license(each.metadata)
        )
        for each in (distributions() if found is None else found)
    }
    return [packages[name] for name in sorted(packages)]


def read_files(folder: Path) -> list[File]:
    """Every file below the folder, with its checksum."""
    files = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        files.append(File(path.relative_to(folder).as_posix(), digest))
    return files


def bill(
    lock: Mapping[tuple[str, str], Sequence[str]],
    packages: Sequence[Package],
    files: Sequence[File] = (),
) -> dict[str, Any]:
    """The document. Raises UnlockedError if a package is not as the lock has it. Pure."""
    strange = [
        f"{each.name} {each.version}"
        for each in packages
        if each.name not in UNLOCKED and (each.name, each.version) not in lock
    ]
    if strange:
        raise UnlockedError(f"installed, and not in the lock: {', '.join(strange)}")
    components = [
        *(_component(each, lock.get((each.name, each.version), ())) for each in packages
          if each.name != OWN),
        *map(_weights, files),
    ]  # fmt: skip
    own = next((each for each in packages if each.name == OWN), Package(OWN, own_version()))
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(own, ()) | {"type": "application"}},
        "components": components,
    }
    serial = uuid.uuid5(_SPACE, json.dumps(content, sort_keys=True))
    return content | {"serialNumber": serial.urn}


def own_version() -> str:
    """The version that the sources beside this file have."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _component(package: Package, digests: Sequence[str]) -> dict[str, Any]:
    url = f"pkg:pypi/{package.name}@{package.version}"
    found: dict[str, Any] = {
        "type": "library",
        "name": package.name,
        "version": package.version,
        "purl": url,
        "bom-ref": url,
    }
    if digests:
        # One for each platform's file; the installer accepted no other.
        found["hashes"] = [{"alg": "SHA-256", "content": digest} for digest in digests]
    if package.license:
        found["licenses"] = [{"license": {"name": package.license}}]
    return found


def _weights(file: File) -> dict[str, Any]:
    return {
        "type": "file",
        "name": file.name,
        "bom-ref": f"file:{file.name}",
        "hashes": [{"alg": "SHA-256", "content": file.sha256}],
    }


def _license(metadata: Any) -> str:
    """Its name: older packages have the whole text in the field, or only a classifier."""
    for key in ("License-Expression", "License"):
        given = str(metadata[key] or "").strip()
        if given and "\n" not in given:
            return given
    found = [each for each in metadata.get_all("Classifier") or () if each.startswith("License")]
    return ", ".join(each.rpartition(" :: ")[2] for each in found)


if __name__ == "__main__":
    sys.exit(main())
