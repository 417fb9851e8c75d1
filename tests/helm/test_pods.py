"""What holds for every pod of every example: restricted, reproducible, restarted when needed."""

import re
from pathlib import Path

import pytest

EXAMPLES = sorted(
    path.stem for path in (Path(__file__).parents[2] / "helm/recollect/ci").glob("*.yaml")
)


def _pods(manifests):
    for manifest in manifests:
        if manifest["kind"] == "Deployment":
            yield manifest["spec"]["template"]["spec"]
        elif manifest["kind"] == "Pod":
            yield manifest["spec"]


def _containers(manifests):
    for pod in _pods(manifests):
        yield from pod.get("initContainers", [])
        yield from pod["containers"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_container_is_restricted(render, example):
    """Every container, the agent's too, meets Kubernetes' restricted profile."""
    for container in _containers(render(example)):
        context = container["securityContext"]
        assert context["runAsNonRoot"] is True
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_recollect_writes_only_to_volumes(render, example):
    """The root file system is read-only, and data_dir and /tmp are mounted writable."""
    found = [each for each in _containers(render(example)) if each["name"] == "recollect"]
    assert found
    for container in found:
        mounts = {each["mountPath"]: each.get("readOnly") for each in container["volumeMounts"]}
        env = {each["name"]: each.get("value") for each in container["env"]}
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert not mounts[env["RECOLLECT_DATA_DIR"]]
        assert env["ORT_DISABLE_TELEMETRY"] == "1"
        assert not mounts["/tmp"]
        assert mounts["/etc/recollect"] is True


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_mount_has_its_volume(render, example):
    """No container mounts a volume that its pod lacks."""
    for pod in _pods(render(example)):
        volumes = {each["name"] for each in pod.get("volumes", [])}
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            assert {each["name"] for each in container.get("volumeMounts", [])} <= volumes


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_container_states_its_needs(render, example):
    """Requests for CPU and memory and a memory limit are always set."""
    for container in _containers(render(example)):
        assert container["resources"]["requests"].keys() >= {"cpu", "memory"}
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_pod_gets_a_service_account_token(render, example):
    """Neither Recollect nor its test pod can talk to the Kubernetes API."""
    for pod in _pods(render(example)):
        assert pod["automountServiceAccountToken"] is False


@pytest.mark.parametrize("example", EXAMPLES)
def test_services_cannot_inject_settings(render, every, example):
    """A Service named "recollect" must not add RECOLLECT_PORT to the environment."""
    for deployment in every(render(example), "Deployment"):
        assert deployment["spec"]["template"]["spec"]["enableServiceLinks"] is False


def test_a_changed_configuration_restarts_the_pods(render, one):
    """The pod template's checksum follows the configuration and nothing else."""

    def checksum(*sets):
        template = one(render("gateway-embedded", *sets), "Deployment")["spec"]["template"]
        return template["metadata"]["annotations"]["checksum/config"]

    assert checksum() == checksum("service.port=80")
    assert checksum() != checksum("config.recall.limit=3")


def test_the_platform_may_choose_the_user(render, one):
    """Null takes the user and group ids out, as OpenShift wants it."""
    pod = one(render("hardened"), "Deployment")["spec"]["template"]["spec"]
    assert "fsGroup" not in pod["securityContext"]
    assert not {"runAsUser", "runAsGroup"} & pod["containers"][0]["securityContext"].keys()


def test_the_image_is_never_a_moving_tag(render, one):
    """Without a tag it is the chart's appVersion, and a digest wins over both."""

    def image(*sets):
        pod = one(render("gateway-embedded", *sets), "Deployment")["spec"]["template"]["spec"]
        return pod["containers"][0]["image"]

    digest = "sha256:" + "a" * 64
    assert re.fullmatch(r"recollect:\d+\.\d+\.\d+", image())
    assert image('image.tag="2.0.0"') == "recollect:2.0.0"
    assert image('image.tag="2.0.0"', f'image.digest="{digest}"') == f"recollect@{digest}"
