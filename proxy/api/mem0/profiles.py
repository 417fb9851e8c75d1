"""Profiles in mem0's words. Ours are always there: each is computed when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from recollect.memory import InvalidInputError
from recollect.memory.api.about_user import ProfileLine

from ...access.rights import Right
from ..operations import endpoint, operations_of
from ..request import ApiRequest
from . import models
from .fields import ProjectFields
from .issued import Issued

NOTHING_TO_DO = "A profile is computed when it is read; nothing had to be done."


class UserProfile(TypedDict):
    """What is known about a user as a person."""

    status: str
    """`succeeded`, or `insufficient_data` if nothing of that kind is known."""
    profile: dict[str, list[ProfileLine]] | None
    """`lines`, most important first."""
    entity_type: str
    entity_id: str
    updated_at: str | None


class ProfileJob(TypedDict):
    """A job that was done at once."""

    job_id: str
    status: str
    status_url: str
    operation: str
    entity_type: str
    entity_count_reserved: int
    entity_ids: list[str]
    sampled: int
    event_id: None
    replayed: bool
    message: str


class ProfileSettings(TypedDict):
    """What can be set about profiles: nothing."""

    enabled: bool
    capabilities: dict[str, bool]
    entities: dict[str, dict[str, str | None]]
    """All null: there is nothing to set."""
    message: str


class Mem0Profiles:
    """The handlers of the routes about profiles."""

    def __init__(self) -> None:
        self._issued: Issued[list[str]] = Issued("profile job")

    @endpoint("GET", "/v2/entities/user/{entity_id}/profile", UserProfile, query=ProjectFields)
    async def get_profile(self, request: ApiRequest) -> Any:
        """mem0: what is known about a user as a person.

        The profile of a user.
        """
        user = request.values["entity_id"]
        lines = (await request.memory.profile(user_id=user))["results"]
        return UserProfile(
            status="succeeded" if lines else "insufficient_data",
            profile={"lines": lines} if lines else None,
            entity_type="user",
            entity_id=user,
            updated_at=max((line["updated_at"] for line in lines), default=None),
        )

    @endpoint("POST", "/v2/profiles/jobs", ProfileJob, body=models.ProfileBody)
    async def generate_profiles(self, request: ApiRequest) -> Any:
        """mem0: a job that is done at once: profiles are computed on reading.

        Note whom it is about; there is nothing to do.
        """
        asked = request.values
        kind, limit, user = asked["operation"], asked["limit"], asked["entity_id"]
        if (kind == "trigger") == (user is None):
            raise InvalidInputError(
                "entity_id", "expected with the operation trigger, and only then"
            )
        if kind == "sample":
            entities = await request.memory.users()
            users = [one["name"] for one in entities if one["type"] == "user"][:limit]
        else:
            users = [str(request.owner.scope(user).user_id)]
        issued = self._issued.put(request.owner, users)
        return ProfileJob(
            job_id=issued,
            status="succeeded",
            status_url=f"/v2/profiles/jobs/{issued}/",
            operation=kind,
            entity_type="user",
            entity_count_reserved=len(users),
            entity_ids=users,
            sampled=len(users) if kind == "sample" else 0,
            event_id=None,
            replayed=False,
            message=NOTHING_TO_DO,
        )

    @endpoint("GET", "/v2/profiles/jobs/{profile_job_id}", dict[str, dict[str, Any]])
    async def get_profile_job(self, request: ApiRequest) -> Any:
        """mem0: such a job, which is done.

        A job that was given out, which is done.
        """
        total = len(self._issued.get(request.owner, request.values["profile_job_id"]))
        done: Mapping[str, Any] = dict.fromkeys(("total", "completed", "succeeded"), total)
        rest = {"failed": 0, "skipped": 0, "enumeration_complete": True}
        return {"job": {"status": "succeeded", **done, **rest}}

    @endpoint("GET", "/v2/profiles/settings", ProfileSettings)
    async def profile_settings(self, _request: ApiRequest) -> Any:
        """mem0: how profiles are made: always, on reading."""
        return SETTINGS

    @endpoint(
        "POST", "/v2/profiles/settings", ProfileSettings, Right.ADMIN,
        body=models.ProfileSettingsBody,
    )  # fmt: skip
    async def set_profile_settings(self, request: ApiRequest) -> Any:
        """mem0: accepts what is so anyway, and refuses everything else.

        Refuse any other setting than what is so anyway.
        """
        if request.values["enabled"] is False:
            raise InvalidInputError("enabled", "profiles are computed on reading and cannot be off")
        check_unset(request.values["entities"])
        return SETTINGS


OF_PROFILES = operations_of(Mem0Profiles)
SETTINGS = ProfileSettings(
    enabled=True,
    capabilities={"custom_schema": False, "custom_instructions": False},
    entities={"user": {"schema": None, "custom_instructions": None}},
    message=NOTHING_TO_DO,
)


def check_unset(entities: object) -> None:
    """Raises InvalidInputError if a setting for an entity has a value."""
    if entities is None:
        return
    parts = entities.values() if isinstance(entities, Mapping) else [None]
    for part in parts:
        if not isinstance(part, Mapping):
            raise InvalidInputError("entities", "expected objects by the kind of entity")
        for name, value in part.items():
            if value is not None:
                raise InvalidInputError(
                    "entities", f"{str(name)[:60]!r} is not supported: profiles have no settings"
                )
