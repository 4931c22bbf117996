"""Write the types of the studio's page, page/types.js, from studio/fields.py."""

from __future__ import annotations

from pathlib import Path

from novikoff.studio.jsdoc import module_text

PAGE = Path(__file__).resolve().parent.parent / "src" / "novikoff" / "studio" / "page"


if __name__ == "__main__":
    (PAGE / "types.js").write_text(module_text())
