"""What holds for every pod of every example: restricted, reproducible, restarted when needed."""

import re

from tests.support.folding import rows

from .conftest import EXAMPLES


@rows("example", EXAMPLES)
def test_every_pod(render, example):
    """Every container, the agent's too, meets Kubernetes' restricted profile and states its needs.

    Recollect writes only to volumes; no container mounts what its pod lacks, no pod can talk to the
    Kubernetes API, and no Service adds RECOLLECT_PORT to an environment.
    """
    for manifest in render(example):
        if manifest["kind"] not in {"Deployment", "Pod"}:
            continue
        deployed = manifest["kind"] == "Deployment"
        pod = manifest["spec"]["template"]["spec"] if deployed else manifest["spec"]
        volumes = {each["name"] for each in pod.get("volumes", [])}
        assert pod["automountServiceAccountToken"] is False
        assert not deployed or pod["enableServiceLinks"] is False
        for container in [*pod.get("initContainers", []), *pod["containers"]]:
            context = container["securityContext"]
            assert context["runAsNonRoot"] is True
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert context["seccompProfile"] == {"type": "RuntimeDefault"}
            assert container["resources"]["requests"].keys() >= {"cpu", "memory"}
            assert "memory" in container["resources"]["limits"]
            mounts = container.get("volumeMounts", [])
            assert {each["name"] for each in mounts} <= volumes
            if container["name"] == "recollect":
                assert context["readOnlyRootFilesystem"] is True
                readonly = {each["mountPath"]: each.get("readOnly") for each in mounts}
                env = {each["name"]: each.get("value") for each in container["env"]}
                assert not readonly[env["RECOLLECT_DATA_DIR"]]
                assert not readonly["/tmp"]
                assert readonly["/etc/recollect"] is True
                assert env["ORT_DISABLE_TELEMETRY"] == "1"


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
