"""The ConfigMap: the user's configuration as it is, plus what the mode implies, minus secrets."""

import re

import yaml

from recollect.config import load_settings
from tests.support.folding import rows

from .conftest import CHART, EXAMPLES

STAND_INS = {
    "RECOLLECT_DATABASE__URL": "postgresql://stand-in/recollect",
    "RECOLLECT_REDIS__URL": "redis://stand-in:6379/0",
}
"""For what comes out of a Secret and has to have a form."""
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


@rows("example", EXAMPLES)
def test_the_configuration_passes_through(render, one, every, tmp_path, example):
    """Whatever an example writes under config is in the file, and no secret: none is rendered.

    RECOLLECT_CONFIG names the mounted key of the ConfigMap, data_dir is the mounted volume, and
    file and environment together are a configuration that the product starts with.
    """
    written = yaml.safe_load((CHART / "ci" / f"{example}.yaml").read_text())
    manifests = render(example)
    config_map, config = _config_map(manifests, one), _config(manifests, one)
    assert not SECRETS & set(_keys(config))
    text = config_map["data"]["config.yaml"]
    assert not re.search(r"://[^/\s]*:[^/\s]*@", text)
    assert "Secret" not in {each["kind"] for each in manifests}
    for section, value in written["config"].items():
        assert config[section].items() >= value.items()
    for deployment in every(manifests, "Deployment"):
        pod = deployment["spec"]["template"]["spec"]
        containers = [*pod.get("initContainers", []), *pod["containers"]]
        (container,) = [each for each in containers if each["name"] == "recollect"]
        env = {
            each["name"]: each.get("value", STAND_INS.get(each["name"], "http://stand-in:1"))
            for each in container["env"]
        }
        folder, _, file = env["RECOLLECT_CONFIG"].rpartition("/")
        assert folder in {each["mountPath"] for each in container["volumeMounts"]}
        assert pod["volumes"][0]["configMap"]["name"] == config_map["metadata"]["name"]
        assert config["data_dir"] == env["RECOLLECT_DATA_DIR"]
        path = tmp_path / file
        path.write_text(config_map["data"][file])
        settings = load_settings(path=path, environ=env | {"RECOLLECT_CONFIG": ""})
        assert settings.upstream.base_url == written["config"]["upstream"]["base_url"]
        if "worker" not in container.get("args", ()):
            is_gateway = written["mode"] != "sidecar"
            assert (settings.identity.mode == "gateway") is is_gateway
            assert (settings.api.token is not None) is is_gateway


def test_numbers_stay_numbers(render, one):
    """Large and fractional numbers survive helm's own reading of YAML."""
    sets = 'config.recall={"token_budget": 2000000, "threshold": 0.25, "enabled": false}'
    recall = _config(render("sidecar", sets), one)["recall"]
    assert (recall["token_budget"], recall["threshold"]) == (2000000, 0.25)
    assert isinstance(recall["token_budget"], int)
    assert recall["enabled"] is False


def test_a_moved_data_dir_stays_on_the_volume(render, one):
    """Changing data_dir moves the mount, the variable and the file together."""
    manifests = render("gateway-embedded", 'config.data_dir="/data"')
    container = one(manifests, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    (mount,) = [each for each in container["volumeMounts"] if each["name"] == "recollect-data"]
    assert mount["mountPath"] == _config(manifests, one)["data_dir"] == "/data"
