"""
What the build does beyond setuptools; ``pyproject.toml`` names it. Not installed.

* The kernel is always compiled anew, and the fingerprint of its sources with it.
* What an earlier build left in the folder ``build`` is not installed.
* The source distribution holds the tests, and the examples that they run.
* ``ATOMIC_VARIANT_REQUIRE_KERNEL=1`` makes a build fail that cannot compile the kernel.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

_HERE = Path(__file__).resolve().parent


def _fingerprint() -> str:
    # The package itself cannot be imported: what it needs is not there in a build.
    spec = importlib.util.spec_from_file_location("_fingerprint", _HERE / "_fingerprint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: str | None = module.source_fingerprint(str(_HERE))
    if found is None:
        raise FileNotFoundError(f"the C sources of the kernel are missing in {_HERE}")
    return found


class BuildPy(build_py):  # type: ignore[misc,unused-ignore] # setuptools may have no types.
    """Copies the modules, to a folder without old ones."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        package = Path(self.build_lib, "atomic_variant")
        shutil.rmtree(package, ignore_errors=True)
        super().run()
        (package / "kernel" / "_build.py").unlink()
        text = f'"""What the kernel beside this was built from."""\n\nFINGERPRINT = "{_fingerprint()}"\n'
        (package / "kernel" / "_built.py").write_text(text, "utf-8")


class BuildExt(build_ext):  # type: ignore[misc,unused-ignore]
    """Compiles the kernel."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True  # Times of files say little after a checkout.

    def build_extension(self, ext: Any) -> None:
        if self.compiler.compiler_type == "unix":
            # One file of the kernel then calls another, and reads its tables, without the linker's detour.
            ext.extra_compile_args.append("-fvisibility=hidden")
        ext.define_macros.append(("ATOMIC_VARIANT_FINGERPRINT", f'"{_fingerprint()}"'))
        super().build_extension(ext)

    def run(self) -> None:
        if os.environ.get("ATOMIC_VARIANT_REQUIRE_KERNEL", "") not in {"", "0"}:
            for extension in self.extensions:
                extension.optional = False
        super().run()


class Sdist(sdist):  # type: ignore[misc,unused-ignore]
    """Packs the sources, and what is needed to test them."""

    def make_distribution(self) -> None:
        for folder in ("tests", "examples"):
            for path in sorted(Path(folder).rglob("*")):
                # What runs and builds leave in a checkout stays there.
                lies_about = any(part.startswith((".", "__pycache__")) for part in path.parts)
                if path.is_file() and not lies_about and path.suffix not in {".so", ".pyd"}:
                    self.filelist.append(str(path))
        self.filelist.remove_duplicates()
        super().make_distribution()
