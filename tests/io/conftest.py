"""What tests of several readers need."""

from __future__ import annotations

import pytest


@pytest.fixture
def file(request, tmp_path):
    """Writes a file of text or bytes; its name is that of the module's NAME unless given."""

    def write(content, name=None):
        path = tmp_path / (name or getattr(request.module, "NAME", "table.csv"))
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
