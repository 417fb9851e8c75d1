"""Whole conversations: searched by words and meaning, and erased one by one."""
