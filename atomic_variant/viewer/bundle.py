"""
The bundling step: ES modules and style sheets joined to one text.

The front end stands in ``js/`` as ES modules that import each other, and in
``css/``. A widget or a page takes one text, which :func:`module` makes of an
entry module and all that it imports, in an order in which each comes after
what it needs. Nothing else is needed: no build tool, and no file that is made
before the package is.

The modules may use as much of the language as this needs:

- ``import { a, b } from "./x.js";`` with the names as they are exported;
- ``export`` before a declaration that begins a line, ``export default`` in an
  entry module;
- ``import NAME from "./x.css";``, which gives the style sheet as a string;
- ``import NAME from "./art.json";``, the shapes and colours of
  :mod:`chess.svg` and of explosions. It is no file: this module makes it, so
  that pieces look the same in pictures and in the viewer, and are not copied.

All modules of a front end share one scope, so no two may declare the same
name. What does not fit is an error here and not in somebody's browser.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
from importlib import resources

import chess.svg

from ..svg import _explosion

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|(\w+)) from "([^"]+)";\n', re.MULTILINE)
_DECLARATION = re.compile(r"^(export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_STRAY = re.compile(
    r"^(?:import\b|export (?!default |(?:async )?(?:function|class|const|let) )|(?:export )?(?:const|let) [{[]).*",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_BLANK = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)

ART = "js/art.json"


class BundleError(ValueError):
    """Modules that do not fit together."""


@functools.cache
def module(name: str) -> str:
    """
    The front end that begins in ``js/{name}.js`` as one ES module.

    >>> module("game_widget").count("class GameViewer")
    1

    :raises: :exc:`BundleError` for modules that do not fit together.
    """
    return join(f"js/{name}.js", sources())


@functools.cache
def sources() -> dict[str, str]:
    """Every module and style sheet by its path, :data:`ART` included."""
    found = {ART: _art()}
    folders = [(resources.files(__package__) / folder, folder) for folder in ("js", "css")]
    while folders:
        folder, path = folders.pop()
        for entry in folder.iterdir():
            name = f"{path}/{entry.name}"
            if entry.is_dir():
                folders.append((entry, name))
            elif name.endswith((".js", ".css")):
                found[name] = entry.read_text(encoding="utf-8")
    return found


def style_sheet(name: str) -> str:
    """The style sheet ``css/{name}.css``, on one line for each rule."""
    return _BLANK.sub("", sources()[f"css/{name}.css"])


def join(entry: str, sources: dict[str, str]) -> str:
    """
    The module *entry* with all that it imports, as one text.

    :param sources: Modules and style sheets by path.
    :raises: :exc:`BundleError` for modules that do not fit together.

    >>> print(join("b.js", {
    ...     "a.js": "// A reason.\\nexport function double(x) {\\n  return 2 * x;\\n}\\n",
    ...     "b.js": 'import { double } from "./a.js";\\nconsole.log(double(2));\\n',
    ... }), end="")
    function double(x) {
    return 2 * x;
    }
    console.log(double(2));
    """
    texts: dict[str, str] = {}
    home: dict[str, str] = {}
    _add(entry, sources, texts, home, ())
    return "".join(texts.values())


def _add(path: str, sources: dict[str, str], texts: dict[str, str], home: dict[str, str], way: tuple[str, ...]) -> None:
    """Adds the module at *path* to *texts*, after what it imports; *home* tells where a name is declared."""
    if path in way:
        raise BundleError(f"modules import each other in a circle: {' -> '.join((*way, path))}")
    if path in texts:
        return
    if path not in sources:
        raise BundleError(f"{way[-1] if way else 'the front end'} imports {path}, which is not there")
    source = sources[path]
    for names, default, target in _IMPORT.findall(source):
        imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if default:
            _add_text(imported, default, sources, texts, home, path)
            continue
        _add(imported, sources, texts, home, (*way, path))
        exported = {name for export, name in _DECLARATION.findall(sources[imported]) if export}
        for name in filter(None, map(str.strip, names.split(","))):
            if name not in exported:
                raise BundleError(f"{path} imports {name}, which {imported} does not export")
    body = _IMPORT.sub("", source)
    for _, name in _DECLARATION.findall(body):
        if home.setdefault(name, path) != path:
            raise BundleError(f"{name} is declared in {home[name]} and in {path}")
    if stray := _STRAY.search(body):
        raise BundleError(f"{path} has what cannot be joined: {stray[0]}")
    body = re.sub(r"^export (?!default)", "", body, flags=re.MULTILINE)
    texts[path] = _BLANK.sub("", _COMMENT.sub("", body))


def _add_text(
    path: str, name: str, sources: dict[str, str], texts: dict[str, str], home: dict[str, str], user: str
) -> None:
    """Adds a style sheet or the art as a constant."""
    if not path.endswith((".css", ".json")) or path not in sources:
        raise BundleError(f"{user} imports {path} as {name}, which is neither a style sheet nor {ART}")
    if home.setdefault(name, path) != path:
        raise BundleError(f"{name} is declared in {home[name]} and in {path}")
    value = sources[path] if path.endswith(".json") else json.dumps(_BLANK.sub("", sources[path]))
    texts[path] = f"const {name} = {value};\n"


def _art() -> str:
    # Inline shapes need no ids, so that pages with many boards have no doubles.
    pieces = {symbol: re.sub(r' (id|class)="[^"]*"', "", shape) for symbol, shape in chess.svg.PIECES.items()}
    keys = (
        "square light", "square dark", "square dark lastmove", "square light lastmove", "margin", "coord",
    )  # fmt: skip
    colors = {key: chess.svg.DEFAULT_COLORS[key] for key in keys} | _explosion.DEFAULT_COLORS
    return json.dumps({"pieces": pieces, "colors": colors, "explosion": _explosion.LOOK})
