"""An OTLP collector: takes traces and metrics, as protobuf of the official schema."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Self

from aiohttp import web
from aiohttp.test_utils import TestServer
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.metrics.v1.metrics_pb2 import NumberDataPoint
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector:
    """Keeps every request for traces. A body that is not of the schema is a 500, and no spans."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self._requests: list[ExportTraceServiceRequest] = []
        self._counts: list[ExportMetricsServiceRequest] = []

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/traces", self._take)
        app.router.add_post("/v1/metrics", self._count)
        self._server = TestServer(app)
        await self._server.start_server()
        self.endpoint = str(self._server.make_url("/")).rstrip("/")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    async def _take(self, request: web.Request) -> web.Response:
        body = await self._read(request)
        self._requests.append(ExportTraceServiceRequest.FromString(body))
        return _answered(ExportTraceServiceResponse().SerializeToString())

    async def _count(self, request: web.Request) -> web.Response:
        body = await self._read(request)
        self._counts.append(ExportMetricsServiceRequest.FromString(body))
        return _answered(ExportMetricsServiceResponse().SerializeToString())

    async def _read(self, request: web.Request) -> bytes:
        body = await request.read()  # aiohttp has unpacked it already
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
        self.bodies.append(body)
        return body

    def counted(self, name: str) -> dict[frozenset[tuple[str, str]], float]:
        """The last values of a counter or gauge, by their labels."""
        found: dict[frozenset[tuple[str, str]], float] = {}
        for request in self._counts:
            for resource in request.resource_metrics:
                for scope in resource.scope_metrics:
                    for metric in scope.metrics:
                        if metric.name == name:
                            points = (*metric.sum.data_points, *metric.gauge.data_points)
                            found |= {_labels(point): _value(point) for point in points}
        return found

    @property
    def services(self) -> set[str]:
        """The names of the services that sent something."""
        return {
            attribute.value.string_value
            for request in self._requests
            for resource in request.resource_spans
            for attribute in resource.resource.attributes
            if attribute.key == "service.name"
        }

    def spans(self) -> Iterator[Span]:
        """All spans, in the order in which they ended."""
        for request in self._requests:
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    yield from scope.spans

    def named(self, name: str) -> list[Span]:
        """Those of this name."""
        return [span for span in self.spans() if span.name == name]


def _answered(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/x-protobuf")


def _labels(point: NumberDataPoint) -> frozenset[tuple[str, str]]:
    return frozenset((each.key, each.value.string_value) for each in point.attributes)


def _value(point: NumberDataPoint) -> float:
    return float(point.as_int) if point.HasField("as_int") else point.as_double


def attributes(span: Span) -> dict[str, str | int]:
    """The texts and whole numbers among a span's attributes."""
    return {
        each.key: each.value.int_value
        if each.value.HasField("int_value")
        else each.value.string_value
        for each in span.attributes
    }
