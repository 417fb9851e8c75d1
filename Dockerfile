# Recollect in a container. docs/deploy.md ("Container") tells how to run it.
#
#   docker build -t recollect .
#   docker build --secret id=pip_conf,src=pip.conf -t recollect .      # behind a package mirror
#
# Replace the base with a digest of your own mirror by --build-arg BASE_IMAGE=...@sha256:...
ARG BASE_IMAGE=python:3.11.15-slim-trixie

FROM ${BASE_IMAGE} AS builder

# The venv sits at the same path in both stages: its scripts name their interpreter absolutely.
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PATH="/opt/recollect/venv/bin:${PATH}"
RUN python -m venv /opt/recollect/venv

WORKDIR /src

# Dependencies first: they change seldom, so this layer survives an edit of the sources.
# The base image's own Python runs the installer, so that uv is not in what is copied below.
COPY requirements.lock requirements-uv.lock ./
COPY tools/install.py tools/
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf \
    /usr/local/bin/python tools/install.py requirements.lock --no-cache \
      --python /opt/recollect/venv/bin/python

COPY pyproject.toml README.md LICENSE ./
COPY recollect/ recollect/
COPY config/ config/
COPY memory/ memory/
COPY filters/ filters/
COPY proxy/ proxy/
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf \
    /usr/local/bin/python tools/install.py requirements.lock --no-cache \
      --python /opt/recollect/venv/bin/python --project .

# Weights are baked, so that a started container needs no registry. Their sha256 is checked.
ENV RECOLLECT_EMBEDDER__MODEL_DIR=/opt/recollect/models
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf \
    recollect models fetch

# What dependencies bring for uses that the product does not have goes; the bill of materials says
# what is left, but for the base's own packages. It fails if that is not what the lock says.
COPY tools/slim.py tools/sbom.py tools/
RUN python tools/slim.py \
    && python tools/sbom.py requirements.lock --files "${RECOLLECT_EMBEDDER__MODEL_DIR}" \
      --output /opt/recollect/sbom.cdx.json

# Bytecode that trusts its source unseen: the tree is read-only at run time, and builders that
# rewrite file times would otherwise make every start compile again. Any user may read all of it.
RUN python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/recollect/venv/lib \
    && chmod -R a+rX /opt/recollect


FROM ${BASE_IMAGE} AS runtime

LABEL org.opencontainers.image.title="recollect" \
      org.opencontainers.image.description="Long-term memory for any OpenAI client by changing one URL"

# HOME: an arbitrary user id has no passwd entry, and the root file system may be read-only.
# LISTEN__HOST: a published port cannot reach a loopback bind. There is no default token on
# purpose: without RECOLLECT_API__TOKEN the server refuses to start on this address.
# IDENTITY: each credential has memories of its own, so that nobody reads another's by naming a user.
ENV PATH="/opt/recollect/venv/bin:${PATH}" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ORT_DISABLE_TELEMETRY=1 \
    HOME=/tmp \
    RECOLLECT_DATA_DIR=/var/lib/recollect \
    RECOLLECT_EMBEDDER__MODEL_DIR=/opt/recollect/models \
    RECOLLECT_LISTEN__HOST=0.0.0.0 \
    RECOLLECT_IDENTITY__MODE=gateway \
    RECOLLECT_IDENTITY__DEFAULT_USER_IN_GATEWAY=true

COPY --from=builder /opt/recollect /opt/recollect

# Group 0 owns the data too: `--user N` and OpenShift run an arbitrary user id in group 0.
RUN install -d -o 65532 -g 0 -m 2770 /var/lib/recollect

WORKDIR /var/lib/recollect
VOLUME ["/var/lib/recollect"]

USER 65532:0
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["recollect", "health"]

ENTRYPOINT ["recollect"]
CMD ["serve"]
