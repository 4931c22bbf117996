"""Rows on disk, to be mapped into memory instead of parsed again.

store.py         a cache: its folder, its header, when it may be believed
raw_array.py     one array of it, with its checksums
labels.py        labels as they are written, for whatever takes them
fingerprint.py   whether the file is still the one that was read
"""

from novikoff.io.cache.store import Cache

__all__ = ["Cache"]
