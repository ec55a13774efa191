"""Optional test data beside the repository."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared_path(*parts: str) -> Path:
    """The path of optional test data; skips the test where there is none."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no test data {'/'.join(parts)}")
    return path
