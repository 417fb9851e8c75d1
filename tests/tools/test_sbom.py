"""The bill of materials: what is installed, as the lock has it, and nothing else."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from email.message import Message
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("sbom", ROOT / "tools" / "sbom.py")
sbom = importlib.util.module_from_spec(_spec)
sys.modules["sbom"] = sbom
_spec.loader.exec_module(sbom)

A, B = "a" * 64, "b" * 64
LOCK = f"""# made by a tool
Some.Thing==1.0 ; python_version < '3.12' \\
    --hash=sha256:{A} \\
    --hash=sha256:{B}
some-thing==2.0 \\
    --hash=sha256:{B}
"""


def distribution(**fields):
    """An installed package with this metadata."""
    metadata = Message()
    for name, value in fields.items():
        metadata[name.replace("_", "-")] = value
    return SimpleNamespace(metadata=metadata, version=fields.get("Version", "1.0"))


def test_a_lock_is_read():
    """Names as indexes compare them, every version, and every checksum of each; ours is read whole."""
    assert sbom.read_lock(LOCK) == {
        ("some-thing", "1.0"): [A, B],
        ("some-thing", "2.0"): [B],
    }
    text = (ROOT / "requirements.lock").read_text()
    lock = sbom.read_lock(text)
    assert sum(map(len, lock.values())) == text.count("--hash=")
    assert all(lock.values())
    assert ("pymilvus", "3.0.2") in lock


def test_what_is_in_the_bill(tmp_path):
    """Each package once, with its checksums and its license; files; what the bill is about.

    The same input gives the same serial number, another content another.
    """
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "w.bin").write_bytes(b"weights")
    files, lock = sbom.read_files(tmp_path), sbom.read_lock(LOCK)
    assert files == [sbom.File("x/w.bin", hashlib.sha256(b"weights").hexdigest())]
    packages = [
        sbom.Package("recollect", "9.9", "Apache-2.0"),
        sbom.Package("some-thing", "2.0", "MIT"),
        sbom.Package("pip", "25"),
    ]
    found = sbom.bill(lock, packages, files)
    assert found == sbom.bill(lock, packages, files)
    assert found["serialNumber"].startswith("urn:uuid:")
    assert found["serialNumber"] != sbom.bill(lock, packages)["serialNumber"]
    assert found["metadata"]["component"]["purl"] == "pkg:pypi/recollect@9.9"
    thing, pip, weights = found["components"]
    assert thing == {
        "type": "library",
        "name": "some-thing",
        "version": "2.0",
        "purl": "pkg:pypi/some-thing@2.0",
        "bom-ref": "pkg:pypi/some-thing@2.0",
        "hashes": [{"alg": "SHA-256", "content": B}],
        "licenses": [{"license": {"name": "MIT"}}],
    }
    assert "hashes" not in pip
    assert (weights["type"], weights["name"]) == ("file", "x/w.bin")
    refs = [each["bom-ref"] for each in found["components"]]
    assert len(refs) == len(set(refs))


def test_licenses_are_short():
    """An expression, the author's word, or the classifier; never a whole text."""
    found = sbom.installed(
        [
            distribution(Name="A_b", License_Expression="MIT OR BSD"),
            distribution(Name="c", License="Copyright\n\nlong", Classifier="License :: OSI :: ISC"),
            distribution(Name="d"),
        ]
    )
    assert [(each.name, each.license) for each in found] == [
        ("a-b", "MIT OR BSD"),
        ("c", "ISC"),
        ("d", ""),
    ]


def test_the_command(tmp_path, monkeypatch, capsys):
    """Writes a file; what the lock does not have is status 1, and named."""
    (tmp_path / "lock").write_text(LOCK)
    monkeypatch.setattr(sbom, "installed", lambda: [sbom.Package("some-thing", "1.0")])
    assert sbom.main([str(tmp_path / "lock"), "--output", str(tmp_path / "bill")]) == 0
    written = json.loads((tmp_path / "bill").read_text())
    assert [each["name"] for each in written["components"]] == ["some-thing"]
    assert sbom.main([str(tmp_path / "lock"), "--files", str(tmp_path)]) == 0
    assert '"lock"' in capsys.readouterr().out
    for strange in (("strange", "1.0"), ("some-thing", "3.0")):
        monkeypatch.setattr(sbom, "installed", lambda: [sbom.Package(*strange)])  # noqa: B023
        assert sbom.main([str(tmp_path / "lock")]) == 1
        assert " ".join(strange) in capsys.readouterr().err
