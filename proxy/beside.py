"""What transport runs beside a request: tasks, which start in one place for the whole product."""

from recollect.memory.util.tasks import beside

__all__ = ["beside"]
