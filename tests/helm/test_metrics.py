"""The chart's way to the metrics: each pod is read, by whom the policy names, and by nobody else."""

import json
from pathlib import Path

import yaml

from recollect.proxy.telemetry.names import IN_FLIGHT
from tests.support.folding import rows

FILES = Path(__file__).parents[2] / "helm" / "recollect" / "files"
ON = "metrics.enabled=true"


def named(manifests, kind, ending):
    (found,) = [
        each
        for each in manifests
        if each["kind"] == kind and each["metadata"]["name"].endswith(ending)
    ]
    return found


def pod_of(deployment):
    return deployment["spec"]["template"]


def ports_of(deployment):
    """All ports of a pod's containers, by name."""
    spec = pod_of(deployment)["spec"]
    containers = [*spec["containers"], *spec.get("initContainers", [])]
    return {
        port["name"]: port["containerPort"] for each in containers for port in each.get("ports", [])
    }


@rows(
    "example, component",
    [("sidecar", "sidecar"), ("gateway-embedded", "gateway"), ("gateway-workers", "worker")],
)
def test_each_pod_can_be_read_if_that_is_wanted(render, every, example, component):
    """A headless Service of its own leads to the port of every pod of the component.

    By default no pod has the port, and the configuration leaves it where it is.
    """
    manifests = render(example)
    config = yaml.safe_load(every(manifests, "ConfigMap")[0]["data"]["config.yaml"])
    assert "telemetry" not in config
    for deployment in every(manifests, "Deployment"):
        assert "metrics" not in ports_of(deployment)
    manifests = render(example, ON)
    service = named(manifests, "Service", f"-{component}-metrics")
    (deployment,) = [
        each
        for each in every(manifests, "Deployment")
        if service["spec"]["selector"].items() <= pod_of(each)["metadata"]["labels"].items()
    ]
    (port,) = service["spec"]["ports"]
    assert service["spec"]["clusterIP"] == "None"
    assert ports_of(deployment)[port["targetPort"]] == port["port"] == 9464
    config = yaml.safe_load(every(manifests, "ConfigMap")[0]["data"]["config.yaml"])
    assert config["telemetry"]["metrics"] == "0.0.0.0:9464"


def test_the_port_of_the_configuration_counts(render):
    """Pods and Service follow `config.telemetry.metrics`; the Service of clients has none."""
    manifests = render("gateway-embedded", ON, 'config.telemetry.metrics="0.0.0.0:9999"')
    service = named(manifests, "Service", "-gateway-metrics")
    deployment = named(manifests, "Deployment", "-recollect")
    assert service["spec"]["ports"][0]["port"] == ports_of(deployment)["metrics"] == 9999
    ports = named(manifests, "Service", "-recollect")["spec"]["ports"]
    assert [port["name"] for port in ports] == ["http"]


def test_the_policy_names_who_reads_them(render):
    """The peers of `metrics.from` reach the port of the metrics only, also that of workers."""
    peers = 'metrics.from=[{"podSelector": {"matchLabels": {"app": "prometheus"}}}]'
    manifests = render("gateway-workers", ON, peers)
    for ending in ("-recollect", "-recollect-worker"):
        rules = named(manifests, "NetworkPolicy", ending)["spec"]["ingress"]
        (rule,) = [rule for rule in rules if rule["ports"][0]["port"] == "metrics"]
        assert rule["from"] == [{"podSelector": {"matchLabels": {"app": "prometheus"}}}]
        assert len(rule["ports"]) == 1


def test_the_operator_finds_the_services(render, one, every):
    """The ServiceMonitor selects the Services of metrics and no other, at a port that they have."""
    manifests = render("gateway-observed")
    monitor = one(manifests, "ServiceMonitor")
    wanted = monitor["spec"]["selector"]["matchLabels"].items()
    services = [each for each in every(manifests, "Service") if wanted <= labels(each).items()]
    assert [each["metadata"]["name"] for each in services] == ["demo-recollect-gateway-metrics"]
    (endpoint,) = monitor["spec"]["endpoints"]
    assert endpoint["port"] == services[0]["spec"]["ports"][0]["name"]
    assert endpoint["path"] == "/metrics"
    assert labels(monitor)["release"] == "prometheus"


def labels(manifest):
    return manifest["metadata"]["labels"]


def test_rules_and_dashboard_are_the_files(render, one):
    """That the tests of names read, with the label that Grafana's sidecar looks for."""
    manifests = render("gateway-observed")
    rule = one(manifests, "PrometheusRule")
    assert rule["spec"] == yaml.safe_load((FILES / "alerts.yaml").read_text())
    found = named(manifests, "ConfigMap", "-dashboard")
    assert labels(found)["grafana_dashboard"] == "1"
    kept = json.loads(found["data"]["recollect.json"])
    assert kept == json.loads((FILES / "dashboard.json").read_text())


def test_pods_grow_with_their_open_chats(render, one):
    """The autoscaler reads a metric that the code exports."""
    metrics = one(render("gateway-observed"), "HorizontalPodAutoscaler")["spec"]["metrics"]
    (pods,) = [each["pods"] for each in metrics if each["type"] == "Pods"]
    assert pods["metric"]["name"] == IN_FLIGHT.name
    assert pods["target"] == {"type": "AverageValue", "averageValue": "80"}


@rows(
    "sets, said",
    [
        (("metrics.serviceMonitor.enabled=true",), "metrics.serviceMonitor.enabled needs metrics"),
        ((ON, 'config.telemetry.metrics="0.0.0.0:0"'), "metrics.enabled needs a port"),
        ((ON, "config.telemetry.metrics=null"), "metrics.enabled needs a port"),
    ],
)
def test_what_nobody_could_read_is_refused(refuse, sets, said):
    """A monitor of a port that is closed would be silent; the chart says so."""
    assert said in refuse("gateway-embedded", *sets)
