"""Amounts in words."""


def amount(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: "1 call", "2,000 calls"; `many` where an s does not do."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
