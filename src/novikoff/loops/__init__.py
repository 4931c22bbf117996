"""Compiled passes over rows. Nothing here knows of files, labels or scikit-learn."""
