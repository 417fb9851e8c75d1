"""Another chart takes the sidecar into its own pod, as the chart's README tells."""

import re
import shutil

import kubernetes_validate
import pytest
import yaml

from .conftest import CHART, ROOT


def _readme_files() -> dict[str, str]:
    """The README's example of a parent chart: file name to text."""
    text = (ROOT / "helm/recollect/README.md").read_text()
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    parts = re.split(r"^# (\S+\.yaml)\n", block, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module")
def parent(tmp_path_factory):
    """The README's parent chart, as a reader would type it."""
    folder = tmp_path_factory.mktemp("parent")
    (folder / "templates").mkdir()
    for name, text in _readme_files().items():
        (folder / name).write_text(text)
    # What `helm dependency build` does for a file:// dependency.
    shutil.copytree(CHART, folder / "charts/recollect")
    return folder


def test_the_readme_recipe_works(render, one, parent):
    """The snippets render to a valid pod with a native sidecar, its volumes and the base URL.

    The volumes name the ConfigMap and the claim that the subchart renders; values under the
    dependency's name reach the sidecar, and are checked as always.
    """
    manifests = render(None, "recollect.config.listen.port=9000", chart=parent)
    for manifest in manifests:
        kubernetes_validate.validate(manifest, "1.29", strict=True)
    pod = one(manifests, "Deployment")["spec"]["template"]["spec"]
    (sidecar,) = pod["initContainers"]
    assert sidecar["restartPolicy"] == "Always"
    by_name = {each["name"]: each for each in pod["volumes"]}
    assert {each["name"] for each in sidecar["volumeMounts"]} == set(by_name)
    config_map = one(manifests, "ConfigMap")
    claim = one(manifests, "PersistentVolumeClaim")["metadata"]["name"]
    assert by_name["recollect-config"]["configMap"]["name"] == config_map["metadata"]["name"]
    assert by_name["recollect-data"]["persistentVolumeClaim"]["claimName"] == claim
    assert yaml.safe_load(config_map["data"]["config.yaml"])["listen"]["port"] == 9000
    assert pod["containers"][0]["env"][0]["value"] == "http://127.0.0.1:9000/v1"
