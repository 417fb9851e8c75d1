"""How much of a shared server one tenant, or one of its users, may hold at a time."""

from __future__ import annotations

from pydantic import Field

from recollect.memory.model.strict import Options


class StreamOptions(Options):
    """Answers of the memory API that take time, or are large."""

    write_seconds: float = Field(
        default=30,
        gt=0,
        le=3600,
        description="How long a client may take to read 64 KiB of an answer that is streamed or "
        "large (seconds); then its connection is closed.",
    )
    per_tenant: int = Field(
        default=128,
        ge=1,
        le=100_000,
        description="Streams of one tenant at a time that follow events or a flush; more get 429. "
        "All tenants together have 256, operators a share of their own.",
    )
    per_user: int = Field(
        default=16, ge=1, le=100_000, description="The same for one user of the tenant."
    )
    exports_per_tenant: int = Field(
        default=4,
        ge=1,
        le=1000,
        description="Exports of one tenant that are read at a time; more get 429. All tenants "
        "together have 16. However many are read, one page of them is made at a time.",
    )
    exports_per_user: int = Field(
        default=2, ge=1, le=1000, description="The same for one user of the tenant."
    )


class SpoolOptions(Options):
    """Files of imports and exports that wait in `data_dir/tasks`."""

    per_tenant_bytes: int = Field(
        default=2 * 2**30,
        ge=1024,
        description="Bytes of such files that one tenant may have, and twice what one of its users "
        "may have; an import that would need more gets 507 before its body is read.",
    )
    total_bytes: int = Field(
        default=4 * 2**30, ge=1024, description="The same for all tenants together."
    )
    reserve_bytes: int = Field(
        default=2**29,
        ge=0,
        description="Free bytes of the disk that imports and exports leave for turns and memories.",
    )
    failed_hours: float = Field(
        default=24,
        ge=0,
        description="Hours after which the file of an import that failed or was interrupted is "
        "removed; until then it can be resumed. Where another file needs the room, the oldest of "
        "them goes at once. The file of an import that was cancelled, or has a line that cannot be "
        "read, is removed when it ends.",
    )
