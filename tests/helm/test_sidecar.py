"""Sidecar mode: Recollect starts before the agent, on loopback only, and the agent finds it."""

import yaml


def env_of(container):
    return {each["name"]: each.get("value") for each in container["env"]}


def test_it_is_a_native_sidecar(render, one):
    """An init container that keeps running: it starts first and stops last.

    The agent starts when it is ready. A kubelet cannot reach a loopback bind: no probe is over
    HTTP or TCP.
    """
    pod = one(render("sidecar"), "Deployment")["spec"]["template"]["spec"]
    (sidecar,) = pod["initContainers"]
    assert (sidecar["name"], sidecar["restartPolicy"]) == ("recollect", "Always")
    assert [each["name"] for each in pod["containers"]] == ["agent"]
    assert sidecar["startupProbe"]["exec"]["command"] == ["recollect", "health"]
    assert sidecar["livenessProbe"]["exec"]["command"] == ["recollect", "health", "--live"]
    for name in ("startup", "readiness", "liveness"):
        assert not {"httpGet", "tcpSocket", "grpc"} & sidecar[f"{name}Probe"].keys()


def test_only_the_agent_reaches_it(render, one):
    """File and environment agree on loopback, no port is published, nothing selects the pod.

    The agent's OPENAI_BASE_URL follows the configured port; one agent is one tenant.
    """
    for port in (8787, 9000):
        manifests = render("sidecar", f"config.listen.port={port}")
        spec = one(manifests, "Deployment")["spec"]["template"]["spec"]
        (sidecar,) = spec["initContainers"]
        config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
        host = env_of(sidecar)["RECOLLECT_LISTEN__HOST"]
        assert config["listen"]["host"] == host == "127.0.0.1"
        assert config["listen"]["port"] == port
        assert config["identity"]["mode"] == "personal"
        assert "ports" not in sidecar
        assert not {"Service", "Ingress"} & {each["kind"] for each in manifests}
        env = env_of(spec["containers"][0])
        assert env["OPENAI_BASE_URL"] == f"http://127.0.0.1:{port}/v1"
        assert env.keys() == {"OPENAI_BASE_URL", "OPENAI_API_KEY"}


def test_no_gateway_secret_is_read(render, one):
    """Token and hash key belong to the gateway; a sidecar reads only what it can use."""
    sets = ('secret.existingSecret="s"', 'secret.keys.llmApiKey="llm"')
    spec = one(render("sidecar", *sets), "Deployment")["spec"]["template"]["spec"]
    secret = [each["name"] for each in spec["initContainers"][0]["env"] if "valueFrom" in each]
    assert secret == ["RECOLLECT_LEARN__LLM__API_KEY"]
