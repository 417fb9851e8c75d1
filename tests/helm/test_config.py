"""The ConfigMap: the user's configuration as it is, plus what the mode implies, minus secrets."""

import re
from pathlib import Path

import pytest
import yaml

EXAMPLES = sorted(
    path.stem for path in (Path(__file__).parents[2] / "helm/recollect/ci").glob("*.yaml")
)
# Every setting that the product documents as secret.
SECRETS = {"token", "api_key", "hash_key", "password", "secret"}


def _config_map(manifests, one):
    """The one with the configuration; a dashboard of Grafana is another."""
    return one([each for each in manifests if "config.yaml" in each.get("data", {})], "ConfigMap")


def _config(manifests, one):
    return yaml.safe_load(_config_map(manifests, one)["data"]["config.yaml"])


def _keys(value):
    if isinstance(value, dict):
        for key, child in value.items():
            yield key
            yield from _keys(child)
    elif isinstance(value, list):
        for child in value:
            yield from _keys(child)


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_secret_is_rendered(render, one, example):
    """No ConfigMap has a secret setting or a URL with a password, and no Secret is made."""
    manifests = render(example)
    assert not SECRETS & set(_keys(_config(manifests, one)))
    text = _config_map(manifests, one)["data"]["config.yaml"]
    assert not re.search(r"://[^/\s]*:[^/\s]*@", text)
    assert "Secret" not in {each["kind"] for each in manifests}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_configuration_passes_through(render, chart, one, example):
    """Whatever an example writes under config arrives unchanged in the file."""
    written = yaml.safe_load((chart / "ci" / f"{example}.yaml").read_text())["config"]
    config = _config(render(example), one)
    for section, value in written.items():
        assert config[section].items() >= value.items()


def test_numbers_stay_numbers(render, one):
    """Large and fractional numbers survive helm's own reading of YAML."""
    sets = 'config.recall={"token_budget": 2000000, "threshold": 0.25, "enabled": false}'
    recall = _config(render("sidecar", sets), one)["recall"]
    assert (recall["token_budget"], recall["threshold"]) == (2000000, 0.25)
    assert isinstance(recall["token_budget"], int)
    assert recall["enabled"] is False


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_file_is_where_the_container_looks(render, one, every, example):
    """RECOLLECT_CONFIG names the mounted key of the ConfigMap, and data_dir is the mounted volume."""
    manifests = render(example)
    config_map = _config_map(manifests, one)
    for deployment in every(manifests, "Deployment"):
        pod = deployment["spec"]["template"]["spec"]
        (container,) = [
            each
            for each in [*pod.get("initContainers", []), *pod["containers"]]
            if each["name"] == "recollect"
        ]
        env = {each["name"]: each.get("value") for each in container["env"]}
        mounts = {each["mountPath"] for each in container["volumeMounts"]}
        folder, _, file = env["RECOLLECT_CONFIG"].rpartition("/")
        assert folder in mounts
        assert file in config_map["data"]
        assert pod["volumes"][0]["configMap"]["name"] == config_map["metadata"]["name"]
        assert _config(manifests, one)["data_dir"] == env["RECOLLECT_DATA_DIR"]


def test_a_moved_data_dir_stays_on_the_volume(render, one):
    """Changing data_dir moves the mount, the variable and the file together."""
    manifests = render("gateway-embedded", 'config.data_dir="/data"')
    container = one(manifests, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    (mount,) = [each for each in container["volumeMounts"] if each["name"] == "recollect-data"]
    assert mount["mountPath"] == _config(manifests, one)["data_dir"] == "/data"
