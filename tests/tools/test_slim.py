"""What is removed from the image, and that the product does not miss it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import clean_environ
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS, until

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("slim", ROOT / "tools" / "slim.py")
slim = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(slim)

MODULES = {
    "pandas": "pandas",
    "faiss": "faiss-cpu",
    "huggingface_hub": "huggingface-hub",
    "hf_xet": "hf-xet",
    "pip": "pip",
    "setuptools": "setuptools",
    "pkg_resources": "setuptools",
}
"""What can be imported of the packages."""
PARTS = (
    "numpy._core.tests",
    "numpy.tests",
    "onnxruntime.quantization",
    "onnxruntime.tools",
    "onnxruntime.transformers",
    "pyarrow._azurefs",
    "pyarrow._flight",
    "pyarrow._gcsfs",
    "pyarrow._hdfs",
    "pyarrow._s3fs",
)
ABSENT = f"""
import sys

class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {set(MODULES)} or name in {set(PARTS)}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Absent())
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with one package, and a file of another one in the same folder."""
    info = tmp_path / "small-1.0.dist-info"
    for name in ("small/a.py", "small/deep/b.py", "small/deep/__pycache__/b.pyc", "other/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: small\nVersion: 1.0\n")
    files = (
        "small/a.py",
        "small/deep/b.py",
        "small-1.0.dist-info/METADATA",
        "small-1.0.dist-info/RECORD",
    )
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in files))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_packages_and_parts_of_them_go(environment: Path) -> None:
    """Files, folders and bytecode; others are as they were. What is not there is an error."""
    assert list(slim.remove_files(environment, ("small/a*",))) == ["small/a*"]
    assert sorted(path.name for path in (environment / "small").iterdir()) == ["deep"]
    with pytest.raises(slim.MissingError, match="small/a"):
        list(slim.remove_files(environment, ("small/a*",)))
    assert list(slim.remove_packages(("small",))) == ["small"]
    assert sorted(path.name for path in environment.iterdir()) == ["other"]
    with pytest.raises(slim.MissingError, match="small is not installed"):
        list(slim.remove_packages(("small",)))


def test_what_is_removed_is_what_is_tried() -> None:
    """The packages are those of the lists below, and are installed here."""
    owners = importlib.metadata.packages_distributions()
    assert set(MODULES.values()) == set(slim.PACKAGES)
    for module, package in MODULES.items():
        assert package in {name.lower().replace("_", "-") for name in owners.get(module, [package])}
    import pyarrow as pa  # type: ignore[import-untyped]

    folder = Path(pa.__file__).parents[1]
    assert all(list(folder.glob(pattern)) for pattern in slim.FILES)


def call(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=HANG_SECONDS) as answer:
        return json.load(answer)


def answers(url: str) -> bool:
    try:
        return bool(call(f"{url}/readyz"))
    except OSError:
        return False


@pytest.mark.process
async def test_the_product_does_not_miss_it(tmp_path: Path) -> None:
    """Where none of it can be imported, in any of its processes, it stores, finds and backs up."""
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(ABSENT))
    port = free_port()
    environ = clean_environ() | {
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
        "RECOLLECT_DATA_DIR": str(tmp_path / "data"),
        "RECOLLECT_EMBEDDER__BACKEND": "fake",
        "RECOLLECT_LISTEN__PORT": str(port),
        "RECOLLECT_TELEMETRY__METRICS": "localhost:0",
    }
    command = (
        sys.executable,
        "-c",
        "import sys; from recollect.proxy.cli import main; sys.exit(main())",
    )
    url = f"http://127.0.0.1:{port}"
    with (tmp_path / "log").open("w") as log:
        product = subprocess.Popen((*command, "serve"), env=environ, cwd=tmp_path, stderr=log)
    try:
        await until(lambda: answers(url))
        memory = {"messages": "Ada's canoe is called Heron", "user_id": "ada", "infer": False}
        call(f"{url}/v1/memories/", memory)
        query = {"query": "What is the canoe called?", "user_id": "ada"}
        [found] = call(f"{url}/v1/memories/search/", query)["results"]
        assert found["memory"] == memory["messages"]
        backup = subprocess.run(
            (*command, "backup", str(tmp_path / "backup")), env=environ, cwd=tmp_path, check=False
        )
        assert backup.returncode == 0
    finally:
        product.terminate()
        product.wait(60)
    assert "Traceback" not in (tmp_path / "log").read_text()
    probe = subprocess.run(
        (*command[:2], "import pandas"), env=environ, check=False, stderr=subprocess.DEVNULL
    )
    assert probe.returncode != 0
