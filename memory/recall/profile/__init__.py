"""The standing profile of a user: what their memories say of them as a person."""

from .lines import Line, Role, bearing, broad, profile_of, read, wishes
from .need import Need

__all__ = ["Line", "Need", "Role", "bearing", "broad", "profile_of", "read", "wishes"]
