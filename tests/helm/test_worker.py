"""Workers: they learn what the proxies captured, are reached by nobody, and keep nothing."""

import json

import pytest
import yaml

from recollect.config import load_settings
from recollect.proxy.telemetry.names import QUEUE_OLDEST
from recollect.proxy.worker_process import check_shareable
from tests.support.folding import rows

SECRETS = {
    "RECOLLECT_DATABASE__URL": "postgresql://recollect:password@postgres/recollect",
    "RECOLLECT_LEARN__LLM__API_KEY": "key",
}
"""What the Secret of the example holds of what a worker reads."""


@pytest.fixture(scope="module")
def manifests(render):
    """The example with workers."""
    return render("gateway-workers")


def _of(manifests, component, kind="Deployment"):
    (found,) = [
        each
        for each in manifests
        if each["kind"] == kind
        and each["metadata"]["labels"]["app.kubernetes.io/component"] == component
    ]
    return found


def _container(manifests, component):
    (found,) = _of(manifests, component)["spec"]["template"]["spec"]["containers"]
    return found


def test_there_is_none_unless_wanted(render, every):
    """Without `worker.enabled` a release has its proxies and nothing else, and they learn."""
    manifests = render("gateway-shared")
    (deployment,) = every(manifests, "Deployment")
    assert deployment["metadata"]["labels"]["app.kubernetes.io/component"] == "gateway"
    config = yaml.safe_load(every(manifests, "ConfigMap")[0]["data"]["config.yaml"])
    assert "in_process" not in config["learn"]


def test_it_runs_the_worker(manifests, render):
    """With replicas, resources and a grace period of its own, longer than the 10 s of draining."""
    spec = _of(manifests, "worker")["spec"]
    assert (spec["replicas"], spec["template"]["spec"]["terminationGracePeriodSeconds"]) == (2, 30)
    assert _container(manifests, "worker")["args"] == ["worker"]
    assert _container(manifests, "gateway")["args"] == ["serve"]
    sets = (
        "worker.replicas=5",
        "worker.terminationGracePeriodSeconds=45",
        'worker.resources={"requests": {"cpu": "2"}}',
    )
    changed = render("gateway-workers", *sets)
    for component, expected in (("worker", (5, 45, "2")), ("gateway", (3, 30, "250m"))):
        spec, container = _of(changed, component)["spec"], _container(changed, component)
        grace = spec["template"]["spec"]["terminationGracePeriodSeconds"]
        cpu = container["resources"]["requests"]["cpu"]
        assert (spec["replicas"], grace, cpu) == expected


def test_proxies_leave_the_learning_to_it(render, manifests, one):
    """Proxies only capture when there are workers, unless the configuration says otherwise."""

    def learn(manifests):
        return yaml.safe_load(one(manifests, "ConfigMap")["data"]["config.yaml"])["learn"]

    assert learn(manifests)["in_process"] is False
    assert learn(manifests)["llm"]["model"] == "gpt-4o-mini"
    both = render("gateway-workers", "config.learn.in_process=true")
    assert learn(both)["in_process"] is True


def test_nobody_reaches_it(manifests, render, one):
    """No Service selects a worker, it has no port, and its policy admits nobody.

    What the proxies may not reach a worker may not either.
    """
    labels = _of(manifests, "worker")["spec"]["template"]["metadata"]["labels"]
    budget = one(manifests, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"]
    for selector in (one(manifests, "Service")["spec"]["selector"], budget):
        assert not selector.items() <= labels.items()
    policy = _of(manifests, "worker", "NetworkPolicy")["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()
    assert policy["ingress"] == []
    assert "ports" not in _container(manifests, "worker")
    egress = [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]
    closed = render("gateway-workers", f"networkPolicy.egress={json.dumps(egress)}")
    policy = _of(closed, "worker", "NetworkPolicy")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"] == egress


def test_it_reads_no_secret_it_does_not_need(manifests):
    """Addresses and the model's key come from the Secret; token and hash key are not given to it."""
    worker = {each["name"]: each for each in _container(manifests, "worker")["env"]}
    referred = {name for name, each in worker.items() if "valueFrom" in each}
    assert referred == set(SECRETS)
    gateway = {each["name"] for each in _container(manifests, "gateway")["env"]}
    assert gateway >= referred | {"RECOLLECT_API__TOKEN", "RECOLLECT_IDENTITY__HASH_KEY"}


def test_it_keeps_nothing(render):
    """A worker mounts no claim, also where the proxy has one: what lasts is in the servers."""
    manifests = render("gateway-workers", "replicas=1", "persistence.enabled=true")
    volumes = _of(manifests, "worker")["spec"]["template"]["spec"]["volumes"]
    assert not [each for each in volumes if "persistentVolumeClaim" in each]
    volumes = _of(manifests, "gateway")["spec"]["template"]["spec"]["volumes"]
    assert [each for each in volumes if "persistentVolumeClaim" in each]


@rows("component", ["worker", "gateway"])
def test_the_product_takes_the_configuration(manifests, one, tmp_path, component):
    """Recollect itself accepts the file and the environment, and agrees that it can be shared."""
    path = tmp_path / "config.yaml"
    path.write_text(one(manifests, "ConfigMap")["data"]["config.yaml"])
    environ = {
        each["name"]: each.get("value", SECRETS.get(each["name"], "from the secret"))
        for each in _container(manifests, component)["env"]
        if each["name"] != "RECOLLECT_CONFIG"
    }
    settings = load_settings(path=path, environ=environ)
    check_shareable(settings)
    assert settings.database.kind == "postgres"
    assert settings.learn.in_process is False


@rows(
    "missing, told",
    [
        (('secret.keys.databaseUrl=""',), "secret.keys.databaseUrl"),
        (("config.learn.llm=null",), "config.learn.llm"),
    ],
)
def test_what_it_cannot_do_without(refuse, missing, told):
    """A worker whose proxies share nothing with it is refused, and the message says what to set."""
    message = refuse("gateway-workers", "replicas=1", *missing)
    assert told in message
    assert "worker.enabled" in message


def test_long_names_stay_apart(render, every):
    """The name of a worker's Deployment is never cut to that of the proxies'."""
    name = "a" * 63
    names = {
        each["metadata"]["name"]
        for each in every(render("gateway-workers", f'fullnameOverride="{name}"'), "Deployment")
    }
    assert len(names) == 2
    assert all(len(each) <= 63 for each in names)


SCALED = ("worker.autoscaling.enabled=true", "metrics.enabled=true")


def test_the_age_of_the_queue_sets_how_many_there_are(render):
    """The autoscaler of workers follows a metric that a worker reports, and owns their number."""
    manifests = render("gateway-workers", *SCALED, "worker.autoscaling.targetQueueAgeSeconds=90")
    scaler = _of(manifests, "worker", "HorizontalPodAutoscaler")["spec"]
    worker = _of(manifests, "worker")
    assert scaler["scaleTargetRef"]["name"] == worker["metadata"]["name"]
    assert "replicas" not in worker["spec"]
    (asked,) = scaler["metrics"]
    assert asked["pods"]["metric"]["name"] == QUEUE_OLDEST.name
    assert asked["pods"]["target"] == {"type": "AverageValue", "averageValue": "90"}
    assert "replicas" in _of(manifests, "gateway")["spec"]
    kinds = {each["kind"] for each in render("gateway-shared", *SCALED)}
    assert "HorizontalPodAutoscaler" not in kinds
