"""Another chart takes the sidecar into its own pod, as the chart's README tells."""

import re
import shutil
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).parents[2]


def _readme_files() -> dict[str, str]:
    """The README's example of a parent chart: file name to text."""
    text = (ROOT / "helm/recollect/README.md").read_text()
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    parts = re.split(r"^# (\S+\.yaml)\n", block, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module")
def parent(tmp_path_factory, chart):
    """The README's parent chart, as a reader would type it."""
    folder = tmp_path_factory.mktemp("parent")
    (folder / "templates").mkdir()
    for name, text in _readme_files().items():
        (folder / name).write_text(text)
    # What `helm dependency build` does for a file:// dependency.
    shutil.copytree(chart, folder / "charts/recollect")
    return folder


def test_the_readme_recipe_works(render, one, parent):
    """The snippets render to a valid pod with a native sidecar, its volumes and the base URL."""
    manifests = render(chart=parent)
    for manifest in manifests:
        kubernetes_validate.validate(manifest, "1.29", strict=True)
    pod = one(manifests, "Deployment")["spec"]["template"]["spec"]
    (sidecar,) = pod["initContainers"]
    assert sidecar["restartPolicy"] == "Always"
    assert {each["name"] for each in sidecar["volumeMounts"]} == {
        each["name"] for each in pod["volumes"]
    }
    assert pod["containers"][0]["env"][0]["value"] == "http://127.0.0.1:8787/v1"


def test_names_agree_between_parent_and_subchart(render, one, parent):
    """The volumes name the ConfigMap and the claim that the subchart renders."""
    manifests = render(chart=parent)
    volumes = one(manifests, "Deployment")["spec"]["template"]["spec"]["volumes"]
    by_name = {each["name"]: each for each in volumes}
    config_map = one(manifests, "ConfigMap")["metadata"]["name"]
    claim = one(manifests, "PersistentVolumeClaim")["metadata"]["name"]
    assert by_name["recollect-config"]["configMap"]["name"] == config_map
    assert by_name["recollect-data"]["persistentVolumeClaim"]["claimName"] == claim


def test_the_parent_sets_the_configuration(render, one, parent):
    """Values under the dependency's name reach the sidecar, and are checked as always."""
    sets = ("recollect.config.listen.port=9000",)
    manifests = render(None, *sets, chart=parent)
    config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
    app = one(manifests, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    assert config["listen"]["port"] == 9000
    assert app["env"][0]["value"] == "http://127.0.0.1:9000/v1"
