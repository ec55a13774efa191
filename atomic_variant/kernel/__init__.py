"""
The compiled kernel, where there is one.

Python is the reference: every function here exists in Python and is readable
there. Where the package was installed with a C compiler at hand, some of them
have a compiled counterpart that gives the same answers faster. It hands calls
that it is not made for back to the Python function: boards with several kings
of a color, with kings that were pawns, and boards of classes that override
what the function is made of.

The environment variable ``ATOMIC_VARIANT_PURE=1`` turns the kernel off. A
kernel that was built from other sources than those at hand is left alone, with
a warning that says how to build a new one.
"""

from __future__ import annotations

import functools
import importlib
import os
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ._fingerprint import expected_fingerprint

F = TypeVar("F", bound=Callable[..., Any])

kernel: Any = None
"""The extension module :mod:`atomic_variant.kernel._kernel`, or ``None``."""

_state = "on"

if os.environ.get("ATOMIC_VARIANT_PURE", "") in {"", "0"}:
    try:
        kernel = importlib.import_module(f"{__name__}._kernel")
    except ModuleNotFoundError:
        kernel = None
        _state = ""  # To be found out when somebody asks.
    except ImportError as error:
        kernel = None
        _state = f"cannot be loaded: {error}"
    else:
        if getattr(kernel, "FINGERPRINT", None) != expected_fingerprint():
            kernel = None
            _state = "built from other sources"
            warnings.warn(
                "the compiled kernel of atomic_variant was built from other sources than those at hand, so Python "
                "takes its place; to build it anew, in a copy of the repository: pip install -e . ; else: "
                "pip install --force-reinstall --no-deps atomic_variant",
                RuntimeWarning,
                stacklevel=2,
            )
else:
    _state = "off by ATOMIC_VARIANT_PURE"


def kernel_active() -> bool:
    """
    Whether the compiled kernel is at work.

    It changes no answer, only how long it takes.

    >>> kernel_active() in {True, False}
    True
    """
    return kernel is not None


def state() -> str:
    """
    What there is of the compiled kernel, in words.

    ``"on"``, ``"off by ATOMIC_VARIANT_PURE"``, ``"not built"``, ``"built for
    another version of Python"``, ``"built from other sources"``, or why it
    cannot be loaded.

    >>> (state() == "on") == kernel_active()
    True
    """
    if _state:
        return _state
    # For the version at hand it would have been found.
    others = any(name.startswith("_kernel.") and name.endswith((".so", ".pyd")) for name in _files())
    return "built for another version of Python" if others else "not built"


def _files() -> list[str]:
    try:
        return os.listdir(os.path.dirname(__file__))
    except OSError:  # In an archive.
        return []


def compiled(function: F) -> F:
    """The compiled counterpart of *function*; *function* itself where there is none."""
    if kernel is None:
        return function
    counterpart: Any = kernel.Function(function.__qualname__, function)
    return cast(F, functools.update_wrapper(counterpart, function))
