"""One manner of writing a file, whoever writes it: under its name it is whole, or as it was."""

import io
import os
import re
import stat
import sys
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard
from atomic_variant.cli._output import Output
from atomic_variant.files import replacing

GAME = '[Variant "Atomic"]\n[Result "1-0"]\n\n1. Nf3 f6 2. Nd4 1-0\n\n'


def output_of_commands(path: Path, folder: Path) -> None:
    output = Output(str(path))
    try:
        output.text.write(GAME)
        output.commit()
    finally:
        output.discard()


def build(path: Path, folder: Path) -> None:
    pytest.importorskip("numpy")
    from atomic_variant import explorer

    explorer.build(io.StringIO(GAME), path, min_games=1)


def polyglot(path: Path, folder: Path) -> None:
    from atomic_variant import explorer

    build(folder / "book.db", folder)
    with explorer.open(folder / "book.db") as book:
        book.polyglot(path)


def save(path: Path, folder: Path) -> None:
    pytest.importorskip("numpy")
    if path.suffix == ".parquet":
        pytest.importorskip("polars")
    from atomic_variant import positions

    positions.Positions.from_boards([AtomicBoard()]).save(path)


WRITERS = {"out.pgn": output_of_commands, "out.db": build, "out.bin": polyglot, "out.npz": save, "out.parquet": save}

posix = pytest.mark.skipif(sys.platform == "win32", reason="other links, owners and permissions")


@pytest.fixture(params=WRITERS)
def output(request, tmp_path):
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / request.param


def write(output, tmp_path):
    WRITERS[output.name](output, tmp_path)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@posix
def test_a_link_stays_one_and_what_it_points_to_is_replaced(output, tmp_path):
    real = tmp_path / f"real-{output.name}"
    real.write_bytes(b"")
    output.symlink_to(real)
    write(output, tmp_path)
    assert output.is_symlink()
    assert real.stat().st_size > 0
    assert names(output.parent) == [output.name]


@posix
def test_permissions_of_an_old_file_are_kept_whatever_the_mask(output, tmp_path):
    output.write_bytes(b"")
    output.chmod(0o666)
    before = os.umask(0o077)
    try:
        write(output, tmp_path)
    finally:
        os.umask(before)
    assert output.stat().st_size > 0
    assert stat.S_IMODE(output.stat().st_mode) == 0o666


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only an administrator gives files away")
def test_owner_and_group_of_an_old_file_are_kept(output, tmp_path):
    output.write_bytes(b"")
    os.chown(output, 12345, 54321)
    write(output, tmp_path)
    assert output.stat().st_size > 0
    assert (output.stat().st_uid, output.stat().st_gid) == (12345, 54321)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is protected from an administrator")
def test_a_file_that_is_protected_is_not_replaced(output, tmp_path):
    output.write_bytes(b"precious")
    output.chmod(0o400)
    with pytest.raises(PermissionError):
        write(output, tmp_path)
    assert output.read_bytes() == b"precious"
    assert names(output.parent) == [output.name]


@posix
def test_what_is_no_file_is_never_replaced_by_one(output, tmp_path):
    os.mkfifo(output)
    with open(os.open(output, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as reader:
        if output.name == "out.db":  # Which nothing but a file can be.
            with pytest.raises(OSError, match=re.escape(str(output))):
                write(output, tmp_path)
        else:
            write(output, tmp_path)
            assert reader.read(1)
    assert stat.S_ISFIFO(output.stat().st_mode)
    assert names(output.parent) == [output.name]


def test_an_error_names_the_file_that_was_asked_for(output, tmp_path):
    missing = tmp_path / "no" / output.name
    with pytest.raises(FileNotFoundError, match=re.escape(str(missing))):
        WRITERS[output.name](missing, tmp_path)
    output.mkdir()
    with pytest.raises(IsADirectoryError, match=re.escape(str(output))):
        write(output, tmp_path)
    assert names(output.parent) == [output.name]


def interrupted(path):
    with replacing(path) as new:
        Path(new).write_text("half")
        raise KeyboardInterrupt


def test_nothing_stays_of_what_was_not_finished(tmp_path):
    old = tmp_path / "old"
    old.write_text("precious")
    for name in ("old", "new"):
        with pytest.raises(KeyboardInterrupt):
            interrupted(tmp_path / name)
    assert old.read_text() == "precious"
    assert names(tmp_path) == ["old"]
