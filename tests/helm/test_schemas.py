"""Every example of the chart, linted and checked against the Kubernetes API schemas."""

import tomllib
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).parents[2]
CHART = ROOT / "helm" / "recollect"
EXAMPLES = sorted(path.stem for path in (CHART / "ci").glob("*.yaml"))
# The oldest that the chart admits, one between, and the newest that the schemas know.
VERSIONS = ["1.29", "1.33", kubernetes_validate.latest_version()]
CUSTOM = "monitoring.coreos.com/"
"""Resources of the Prometheus operator, which the schemas of Kubernetes do not know."""

MULTI = (
    'config.state={"backend": "redis", "url": "redis://redis:6379/0"}',
    'config.history={"backend": "postgres", "url": "postgresql://postgres/recollect"}',
    "persistence.enabled=false",
)
# Beyond the examples: what only shows with several replicas or everything optional.
VARIANTS = {
    "several replicas": ("gateway-shared", "replicas=3", *MULTI),
    "autoscaled": ("gateway-shared", "autoscaling.enabled=true", *MULTI),
    "no persistence": ("sidecar", "persistence.enabled=false"),
    "watched sidecar": ("sidecar", "metrics.enabled=true"),
    "watched workers": ("gateway-workers", "metrics.enabled=true"),
    "scaled workers": (
        "gateway-workers",
        "metrics.enabled=true",
        "worker.autoscaling.enabled=true",
    ),
    "no agent": (None, "agent.enabled=false"),
    "minimal sidecar": (None, 'agent.image="a:1"', "serviceAccount.create=false"),
    "workers beside agents": (
        "sidecar",
        "worker.enabled=true",
        'config.learn.llm={"model": "m"}',
        'config.store={"uri": "http://milvus:19530"}',
        *MULTI,
    ),
    "workers, closed": (
        "gateway-workers",
        'networkPolicy.egress=[{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]',
        "worker.replicas=1",
    ),
    "no options": (
        "gateway-embedded",
        "networkPolicy.enabled=false",
        "podDisruptionBudget.enabled=false",
        "topologySpread.enabled=false",
    ),
    "everything about the agent": (
        "sidecar",
        'agent.args=["--fast"]',
        'agent.envFrom=[{"configMapRef": {"name": "x"}}]',
        'agent.lifecycle={"preStop": {"exec": {"command": ["sleep", "1"]}}}',
        'agent.volumeMounts=[{"name": "v", "mountPath": "/v"}]',
        'extraVolumes=[{"name": "v", "emptyDir": {}}]',
        'envFrom=[{"secretRef": {"name": "more"}}]',
        'affinity={"podAffinity": {}}',
        'priorityClassName="high"',
        'persistence.storageClass="fast"',
        'service.annotations={"a": "b"}',
    ),
}


def test_examples_cover_the_topologies():
    """There is an example for each topology that the documentation names."""
    gateways = {f"gateway-{name}" for name in ("embedded", "shared", "workers", "observed")}
    assert set(EXAMPLES) >= {"sidecar", "hardened", *gateways}


@pytest.mark.parametrize("example", EXAMPLES)
def test_lint_is_clean(helm, chart, example):
    """`helm lint --strict` accepts the chart with each example."""
    done = helm("lint", "--strict", chart, "--values", chart / "ci" / f"{example}.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[WARNING]" not in done.stdout + done.stderr


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_fit_the_api(render, example, version):
    """Every manifest of each example is valid, unknown fields refused."""
    manifests = render(example)
    assert manifests
    check(manifests, version)


def check(manifests, version):
    """Raises ValidationError."""
    for manifest in manifests:
        if not manifest["apiVersion"].startswith(CUSTOM):
            kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_variants_fit_the_api(render, variant, version):
    """What the examples leave at its default is valid too when it is set."""
    check(render(*variant), version)


def test_the_validator_refuses_a_wrong_field(render, one):
    """The schema check can fail: a misplaced field is an error, not a warning."""
    deployment = one(render("sidecar"), "Deployment")
    deployment["spec"]["template"]["spec"]["restartPolicies"] = "Always"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(deployment, VERSIONS[0], strict=True)


def test_app_version_is_the_product_version():
    """The default image tag is the version being packaged."""
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert chart["appVersion"] == project["version"]


def test_schema_knows_every_default():
    """values.yaml and values.schema.json name the same top-level keys."""
    schema = yaml.safe_load((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    # helm itself hands `global` to every subchart.
    assert set(schema["properties"]) - {"global"} == set(values)
