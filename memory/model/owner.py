"""The owner for whom a caller acts: a whole tenant, or one user."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import ForbiddenError
from .types import OwnerRef, Scope


@dataclass(frozen=True, slots=True)
class Owner:
    """A tenant; with `user_id`, one user of it, who can name no other user."""

    tenant: str
    user_id: str | None = None

    def scope(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Scope:
        """The scope that these ids name, within what is the owner's.

        Raises:
            ForbiddenError: `user_id` names another user than the owner.
            ScopeError: no id is given, and the owner is a whole tenant.
            InvalidInputError: an id is malformed.
        """
        if self.user_id is not None and user_id not in (None, self.user_id):
            raise ForbiddenError("user_id", "names somebody else than the user of this credential")
        return Scope(
            tenant=self.tenant,
            user_id=self.user_id if user_id is None else user_id,
            agent_id=agent_id,
            run_id=run_id,
        )

    def owner_ref(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> OwnerRef:
        """The same; without any id everything of the owner. Raises as `scope`."""
        if self.user_id is None and user_id is None and agent_id is None and run_id is None:
            return self.tenant
        return self.scope(user_id, agent_id, run_id)

    def whole_tenant(self) -> str:
        """The tenant, for what concerns all of it. Raises ForbiddenError for a single user."""
        if self.user_id is not None:
            raise ForbiddenError(
                "user_id", "this concerns the whole tenant, and the credential is for one user"
            )
        return self.tenant


def covers(owner_ref: OwnerRef, scope: Scope) -> bool:
    """Whether a record stored under `scope` belongs to `owner_ref`."""
    return owner_ref.admits(scope) if isinstance(owner_ref, Scope) else owner_ref == scope.tenant


def owning_tenant(owner_ref: OwnerRef) -> str:
    """The tenant that an owner is, or is of."""
    return owner_ref.tenant if isinstance(owner_ref, Scope) else owner_ref


def user_of(scope: Scope) -> Scope:
    """The user of a scope, whose capacity its memories count towards; itself without a user."""
    return scope if scope.user_id is None else Scope(tenant=scope.tenant, user_id=scope.user_id)
