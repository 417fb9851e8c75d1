"""Maintenance of stored data, for commands: back up, restore, calibrate, reindex and repair."""

from .backup import back_up, plan_backup
from .backup_files import BackupNote, read_note
from .calibrate import measure
from .reindexing import reindex
from .repair import look_at, mend, told
from .restoring import restore
from .weight_fitting import refit

__all__ = [
    "BackupNote",
    "back_up",
    "look_at",
    "measure",
    "mend",
    "plan_backup",
    "read_note",
    "refit",
    "reindex",
    "restore",
    "told",
]
