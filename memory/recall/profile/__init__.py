"""The standing profile of a user: what their memories say of them as a person."""

from .asked import Asked
from .lines import Line, Role, bearing, broad, profile_of, wishes

__all__ = ["Asked", "Line", "Role", "bearing", "broad", "profile_of", "wishes"]
