"""What entries tell in numbers, column by column: an array has a number for each memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...model.types import MemoryType, Scope, Source
from .columns import Column, Numbers
from .entry import Entry, is_foreign
from .postings import NONE

_TYPES = list(MemoryType)
_NOTED = ("rating", "read")
"""Columns of what somebody noted, which no entry tells."""


class EntryColumns:
    """The columns of an index. Positions number its entries in order of arrival."""

    numbers: ClassVar[dict[str, type]] = {}
    """By column of numbers, their type."""
    alive = Numbers(np.bool_)
    """``bool[n]``: False for removed memories."""
    moments = Numbers(np.float64)
    """``float64[n]``: `Entry.moment`, in seconds since the epoch."""
    importance = Numbers(np.float64)
    """``float64[n]``."""
    rating = Numbers(np.float64)
    """``float64[n]``: `Usage.rating`, as far as it was noted; 0 without counters, and of what is
    shared: what people say of a memory is about it in its owner's scope."""
    hearsay = Numbers(np.bool_)
    """``bool[n]``: what the user never said themselves."""
    untold = Numbers(np.int8)
    """``int8[n]``: `Entry.untold`."""
    asks = Numbers(np.bool_)
    """``bool[n]``: `Entry.asks`."""
    said = Numbers(np.bool_)
    """``bool[n]``: what is a passage of a turn."""
    derived = Numbers(np.bool_)
    """``bool[n]``: what cites others."""
    distinct = Numbers(np.int32)
    """``int32[n]``: number of different terms."""
    lengths = Numbers(np.float64)
    """``float64[n]``: number of terms, 0 for removed memories."""
    log_lengths = Numbers(np.float64)
    """``float64[n]``: ``log1p`` of `lengths`."""
    dated = Numbers(np.bool_)
    """``bool[n]``: whether the memory seems to name a time."""
    spoken = Numbers(np.bool_)
    """``bool[n]``: whether the text begins with a speaker's name."""
    language_numbers = Numbers(np.int16)
    """``int16[n]``: the language of each memory, an index of `language_codes`."""
    read = Numbers(np.int8)
    """``int8[n]``: what `traits` tell, as whoever read them noted it; 0 for what nobody read."""
    _types = Numbers(np.int8)
    _sequences = Numbers(np.int64)
    _owners = Numbers(np.int64)
    _conversations = Numbers(np.int64)

    def _clear_columns(self) -> None:
        self._columns: dict[str, Column[Any]] = {
            name: Column(dtype) for name, dtype in self.numbers.items()
        }
        self._show_columns()
        self._scopes: list[Scope] = []
        self._scope_numbers: dict[Scope, int] = {}
        self._conversation_numbers: dict[str, int] = {}
        self._language_numbers: dict[str, int] = {}

    def of_type(self, kind: MemoryType) -> npt.NDArray[np.bool_]:
        """``bool[n]``: the memories of a type."""
        of_type: npt.NDArray[np.bool_] = (self._types == _TYPES.index(kind)) & self.alive
        return of_type

    @property
    def language_codes(self) -> Sequence[str]:
        """The languages by their numbers."""
        return list(self._language_numbers)

    def _extend_columns(self, entries: Sequence[Entry]) -> None:
        for name, values in self._numbers_of(entries).items():
            self._columns[name].extend(values)
        self._show_columns()

    def _show_columns(self) -> None:
        """Let each column be read as what it is: a query reads some fifty."""
        for name, column in self._columns.items():
            self.__dict__[name] = column.values

    def _noted(self, positions: Sequence[int]) -> Mapping[str, npt.NDArray[Any]]:
        """By column, what was noted of these."""
        return {name: self._columns[name].values[positions] for name in _NOTED}

    def _note_again(self, noted: Mapping[str, npt.NDArray[Any]]) -> None:
        for name, values in noted.items():
            self._columns[name].values[:] = values

    def _numbers_of(self, entries: Sequence[Entry]) -> dict[str, Sequence[Any]]:
        """By column, what is added for these entries."""
        none = [0.0] * len(entries)
        lengths = [sum(entry.counts) for entry in entries]
        # Most have no flags, and their property is not asked for each.
        untold = [entry.untold if entry.item.provenance.flags else 0 for entry in entries]
        return {
            "alive": [True] * len(entries),
            "moments": [entry.moment for entry in entries],
            "importance": [entry.item.importance for entry in entries],
            **dict.fromkeys(_NOTED, none),
            "hearsay": [is_foreign(entry.item) for entry in entries],
            "untold": untold,
            "asks": [kind > 0 and one.asks for kind, one in zip(untold, entries, strict=True)],
            "said": [entry.item.provenance.source is Source.SAID for entry in entries],
            "derived": [bool(entry.item.provenance.cites) for entry in entries],
            "distinct": [len(entry.terms) for entry in entries],
            "lengths": lengths,
            "log_lengths": np.log1p(np.array(lengths, np.float64)).tolist(),
            "spoken": [bool(entry.speaker) for entry in entries],
            "dated": [entry.dated for entry in entries],
            "language_numbers": self._language_numbers_of(entries),
            "_types": [_TYPES.index(entry.item.type) for entry in entries],
            "_sequences": [entry.item.provenance.sequence for entry in entries],
            "_owners": self._owners_of(entries),
            "_conversations": [self._conversation_of(entry) for entry in entries],
        }

    def _owners_of(self, entries: Sequence[Entry]) -> Sequence[int]:
        """By number; one scope after the other is mostly the same object."""
        owners: list[int] = []
        last: Scope | None = None
        for scope in [entry.item.scope for entry in entries]:
            number = owners[-1] if scope is last else self._number_of(scope)
            owners.append(number)
            last = scope
        return owners

    def _language_numbers_of(self, entries: Sequence[Entry]) -> Sequence[int]:
        numbers, codes = self._language_numbers, [entry.language for entry in entries]
        for code in dict.fromkeys(codes):
            numbers.setdefault(code, len(numbers))
        return [numbers[code] for code in codes]

    def _number_of(self, scope: Scope) -> int:
        number = self._scope_numbers.setdefault(scope, len(self._scopes))
        if number == len(self._scopes):
            self._scopes.append(scope)
        return number

    def _conversation_of(self, entry: Entry) -> int:
        name = entry.item.provenance.conversation_id
        if name is None:
            return NONE
        return self._conversation_numbers.setdefault(name, len(self._conversation_numbers))
