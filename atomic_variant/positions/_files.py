"""Batches in files."""

from __future__ import annotations

import importlib
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..files import replacing


def write(path: Path, columns: Mapping[str, Any], variant: str, chess960: bool) -> None:
    """Writes columns to a file, which is there whole or not at all."""
    import numpy as np

    if path.suffix == ".npz":
        with replacing(path) as new, open(new, "wb") as file:
            np.savez(file, variant=np.array(variant), chess960=np.array(chess960), **columns)
        return
    polars = _polars(path)
    frame = polars.DataFrame([_series(polars, name, column) for name, column in columns.items()])
    frame = frame.with_columns(polars.lit(variant).alias("variant"), polars.lit(chess960).alias("chess960"))
    with replacing(path) as new:
        frame.write_parquet(new)


def read(path: Path) -> tuple[dict[str, Any], str, bool]:
    """The columns of a file, the name of their variant, and whether castling follows Chess960."""
    import numpy as np

    if path.suffix == ".npz":
        try:
            with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
                columns = {name: file[name] for name in file.files}
        except (ValueError, KeyError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"{path}: {error}") from None
        variant, chess960 = columns.pop("variant", None), columns.pop("chess960", None)
        if variant is None or chess960 is None or variant.shape or chess960.shape:
            raise ValueError(f"{path}: no positions: it does not say by which rules")
        return columns, str(variant), bool(chess960)
    polars = _polars(path)
    try:
        frame = polars.read_parquet(path)
    except polars.exceptions.PolarsError as error:
        raise ValueError(f"{path}: {error}") from None
    columns = {name: frame[name].to_numpy(writable=True) for name in frame.columns}
    if not len(frame):
        widths = {name: getattr(frame[name].dtype, "size", None) for name in frame.columns}
        columns = {
            name: column.reshape(0, widths[name]) if widths[name] else column for name, column in columns.items()
        }
    names, flags = columns.pop("variant", ()), columns.pop("chess960", ())
    if len(set(names)) > 1 or len(set(flags)) > 1 or len(names) != len(flags):
        raise ValueError(f"{path}: positions of several variants")
    return columns, str(names[0]) if len(names) else "atomic", bool(flags[0]) if len(flags) else False


def _series(polars: Any, name: str, column: Any) -> Any:
    if len(column) or column.ndim == 1:
        return polars.Series(name, column)
    kind = polars.UInt64 if column.dtype == "uint64" else polars.Int32
    return polars.Series(name, [], dtype=polars.Array(kind, column.shape[1]))  # Nothing to tell the width by.


def _polars(path: Path) -> Any:
    if path.suffix != ".parquet":
        raise ValueError(f"expected a name in .npz or .parquet, but got {path.name}")
    try:
        return importlib.import_module("polars")
    except ImportError:
        raise ImportError("Parquet needs polars: pip install 'atomic_variant[tables]'") from None
