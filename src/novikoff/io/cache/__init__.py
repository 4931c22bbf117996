"""Rows on disk, to be mapped into memory instead of parsed again.

store.py         a cache: a folder of .npy files and one JSON file, and when it may be believed
growing.py       a .npy file that is written piece by piece
fingerprint.py   whether the file is still the one that was read
"""

from novikoff.io.cache.store import Cache

__all__ = ["Cache"]
