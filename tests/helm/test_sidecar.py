"""Sidecar mode: Recollect starts before the agent, on loopback only, and the agent finds it."""

import pytest
import yaml


@pytest.fixture(scope="module")
def manifests(render):
    """The sidecar example."""
    return render("sidecar")


@pytest.fixture(scope="module")
def pod(manifests, one):
    """Its pod spec."""
    return one(manifests, "Deployment")["spec"]["template"]["spec"]


def test_it_is_a_native_sidecar(pod):
    """Recollect is an init container that keeps running, so it starts first and stops last."""
    (sidecar,) = pod["initContainers"]
    assert sidecar["name"] == "recollect"
    assert sidecar["restartPolicy"] == "Always"
    assert [each["name"] for each in pod["containers"]] == ["agent"]


def test_the_agent_waits_until_it_is_ready(pod):
    """The startup probe asks for readiness, and the kubelet starts the agent only after it."""
    (sidecar,) = pod["initContainers"]
    assert sidecar["startupProbe"]["exec"]["command"] == ["recollect", "health"]
    assert sidecar["livenessProbe"]["exec"]["command"] == ["recollect", "health", "--live"]


def test_no_probe_needs_the_pod_network(pod):
    """A kubelet cannot reach a loopback bind: no probe of the sidecar is over HTTP or TCP."""
    (sidecar,) = pod["initContainers"]
    probes = [sidecar[f"{name}Probe"] for name in ("startup", "readiness", "liveness")]
    assert all(not {"httpGet", "tcpSocket", "grpc"} & probe.keys() for probe in probes)


def test_it_listens_on_loopback_only(manifests, pod, one):
    """File and environment agree on loopback, no port is published, nothing selects the pod."""
    (sidecar,) = pod["initContainers"]
    config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
    env = {each["name"]: each.get("value") for each in sidecar["env"]}
    assert config["listen"]["host"] == env["RECOLLECT_LISTEN__HOST"] == "127.0.0.1"
    assert "ports" not in sidecar
    assert not {"Service", "Ingress"} & {each["kind"] for each in manifests}


@pytest.mark.parametrize("port", [8787, 9000])
def test_the_agent_is_pointed_at_it(render, one, port):
    """The agent's OPENAI_BASE_URL follows the configured port."""
    manifests = render("sidecar", f"config.listen.port={port}")
    spec = one(manifests, "Deployment")["spec"]["template"]["spec"]
    env = {each["name"]: each.get("value") for each in spec["containers"][0]["env"]}
    assert env["OPENAI_BASE_URL"] == f"http://127.0.0.1:{port}/v1"
    assert env.keys() == {"OPENAI_BASE_URL", "OPENAI_API_KEY"}
    config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
    assert config["listen"]["port"] == port


def test_no_gateway_secret_is_read(render, one):
    """Token and hash key belong to the gateway; a sidecar reads only what it can use."""
    sets = ('secret.existingSecret="s"', 'secret.keys.llmApiKey="llm"')
    spec = one(render("sidecar", *sets), "Deployment")["spec"]["template"]["spec"]
    secret = [each["name"] for each in spec["initContainers"][0]["env"] if "valueFrom" in each]
    assert secret == ["RECOLLECT_LEARN__LLM__API_KEY"]


def test_identity_is_personal(manifests, one):
    """One agent means one tenant and a default user."""
    config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
    assert config["identity"]["mode"] == "personal"
