"""Gateway mode: reachable, replaceable, and closed to everyone who was not named."""

import pytest
import yaml

MULTI = (
    'config.database={"url": "postgresql://postgres/recollect"}',
    "persistence.enabled=false",
)


@pytest.fixture(scope="module")
def manifests(render):
    """The embedded gateway example."""
    return render("gateway-embedded")


@pytest.fixture(scope="module")
def container(manifests, one):
    """Its only container."""
    (found,) = one(manifests, "Deployment")["spec"]["template"]["spec"]["containers"]
    return found


def test_the_service_reaches_the_container(manifests, container, one):
    """Service, named port, and listen.port lead to each other, and the selector to the pod.

    The test hook asks the Service, and is not itself selected by it.
    """
    service, pod = one(manifests, "Service"), one(manifests, "Pod")
    labels = one(manifests, "Deployment")["spec"]["template"]["metadata"]["labels"]
    config = yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])
    selector, (port,) = service["spec"]["selector"], service["spec"]["ports"]
    assert selector.items() <= labels.items()
    assert port["targetPort"] == container["ports"][0]["name"] == "http"
    assert container["ports"][0]["containerPort"] == config["listen"]["port"]
    assert config["listen"]["host"] == "0.0.0.0"
    assert config["identity"]["mode"] == "gateway"
    assert pod["metadata"]["annotations"]["helm.sh/hook"] == "test"
    address = f"http://{service['metadata']['name']}:{port['port']}/readyz"
    assert pod["spec"]["containers"][0]["args"][-1] == address
    assert not selector.items() <= pod["metadata"]["labels"].items()


def test_secrets_come_by_reference(container):
    """Token and hash key are read from the named Secret, no value is spelt out."""
    env = {each["name"]: each for each in container["env"]}
    for name, key in {
        "RECOLLECT_API__TOKEN": "api-token",
        "RECOLLECT_IDENTITY__HASH_KEY": "identity-hash-key",
    }.items():
        assert env[name]["valueFrom"]["secretKeyRef"] == {"name": "recollect", "key": key}
        assert "value" not in env[name]


def test_what_cannot_be_lost_is_not(manifests, container, one):
    """Readiness decides about traffic, liveness about restarts; a shutdown has time to drain.

    A database in a file has one writer: the old pod is gone before the new one starts. A single
    replica's node can be drained, and `helm uninstall` keeps what people told the gateway.
    """
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert container["startupProbe"]["httpGet"]["path"] == "/healthz"
    spec = one(manifests, "Deployment")["spec"]
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][-1])
    assert spec["template"]["spec"]["terminationGracePeriodSeconds"] > wait + 10
    assert spec["strategy"] == {"type": "Recreate"}
    claim = one(manifests, "PersistentVolumeClaim")
    assert claim["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"
    assert one(manifests, "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def test_shared_parts_roll_without_a_gap(render, one):
    """With everything shared the chart allows replicas, spreads them and keeps all available."""
    spec = one(render("gateway-shared", "replicas=3", *MULTI), "Deployment")["spec"]
    assert spec["replicas"] == 3
    assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert spec["template"]["spec"]["topologySpreadConstraints"]


def test_the_autoscaler_owns_the_replicas(render, one):
    """With autoscaling on, an upgrade does not reset the number of pods."""
    manifests = render("gateway-shared", "autoscaling.enabled=true", *MULTI)
    deployment = one(manifests, "Deployment")
    target = one(manifests, "HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    assert "replicas" not in deployment["spec"]
    assert target["name"] == deployment["metadata"]["name"]


def test_only_named_peers_may_connect(render, one):
    """The policy is on by default and admits this namespace and the listed peers, on one port.

    Naming egress rules makes it govern egress.
    """
    policy = one(render("gateway-shared"), "NetworkPolicy")["spec"]
    (rule,) = policy["ingress"]
    assert rule["from"][0] == {"podSelector": {}}
    assert "namespaceSelector" in rule["from"][1]
    assert [port["port"] for port in rule["ports"]] == ["http"]
    assert policy["policyTypes"] == ["Ingress"]
    policy = one(render("hardened"), "NetworkPolicy")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"]


def test_the_ingress_lets_streams_live(render, one):
    """Buffering is off and the read timeout outlasts a long answer."""
    annotations = one(render("gateway-shared"), "Ingress")["metadata"]["annotations"]
    prefix = "nginx.ingress.kubernetes.io"
    assert annotations[f"{prefix}/proxy-buffering"] == "off"
    assert int(annotations[f"{prefix}/proxy-read-timeout"]) >= 600


def test_the_names_of_service_and_ingress_are_allowed(render, one):
    """Requests under them have memory, and so have those under names that the user adds."""

    def allowed(*sets):
        config = yaml.safe_load(one(render(*sets), "ConfigMap")["data"]["config.yaml"])
        return config["listen"]["allowed_hosts"]

    assert allowed("gateway-shared") == ["demo-recollect.default", "memory.example.org"]
    added = 'config.listen={"allowed_hosts": ["a.test", "memory.example.org"]}'
    assert allowed("gateway-shared", added)[-2:] == ["memory.example.org", "a.test"]
    assert "memory.example.org" not in allowed("gateway-shared", "ingress.enabled=false")
