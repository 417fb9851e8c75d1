"""The clients' credentials, in memory only, for learning with the conversation's own model.

They are never written to disk: after a restart a tenant's jobs wait for its next request.
"""

from __future__ import annotations

from collections import OrderedDict

from pydantic import SecretStr

from recollect.config.server import UpstreamOptions
from recollect.memory.llms import GuardedModel, OpenAIChatOptions, guarded_model
from recollect.memory.model.ports import ChatModel
from recollect.memory.util.lru import Lru

MAX_TENANTS = 10_000
MAX_MODELS = 64


class ClientModels:
    """A `ModelSource` that uses the conversation's own model at the upstream."""

    configured = False
    """Nobody chose it: a chat lends it."""

    def __init__(self, upstream: UpstreamOptions) -> None:
        self._upstream = upstream
        self._credentials: Lru[str, tuple[SecretStr | None, str]] = Lru(MAX_TENANTS)
        self._models: OrderedDict[tuple[str, str], GuardedModel] = OrderedDict()

    def note(self, tenant: str, credential: str | None, model: str) -> bool:
        """Remember a tenant's last request; True if none before was for this model."""
        known = self._credentials.get(tenant)
        new = known is None or known[1] != model
        self._credentials.put(tenant, (SecretStr(credential) if credential else None, model))
        return new

    async def __call__(self, tenant: str, model: str = "") -> ChatModel | None:
        noted = self._credentials.get(tenant)
        if noted is None:
            return None
        credential, last_model = noted
        model = model or last_model
        options = OpenAIChatOptions(
            provider=self._upstream.provider,
            base_url=self._upstream.base_url,
            model=model,
            api_key=credential,
        )
        key = (tenant, model)
        known = self._models.get(key)
        if known is None or known.options != options:
            if known is not None:
                await known.close()
            known = self._models[key] = guarded_model(options, retries=0)
        self._models.move_to_end(key)
        while len(self._models) > MAX_MODELS:
            _, oldest = self._models.popitem(last=False)
            await oldest.close()
        return known

    async def close(self) -> None:
        """Close every model and forget every credential."""
        for model in self._models.values():
            await model.close()
        self._models.clear()
        self._credentials.drop(lambda _: True)
