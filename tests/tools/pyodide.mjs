// Runs the tests on CPython compiled to WebAssembly, in plain Python, as JupyterLite would:
//
//     node tests/tools/pyodide.mjs PYODIDE SITE tests/boards ...
//
// PYODIDE is the folder of the npm package, SITE one with python-chess and pytest in it.
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, site, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
const python = await loadPyodide();
for (const [place, target] of [["/project", "."], ["/site", site]]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: resolve(target) }, place);
}
python.globals.set("arguments", python.toPy(args));
process.exitCode = python.runPython(`
import os, sys
sys.path[:0] = ["/project", "/site"]
sys.dont_write_bytecode = True
os.chdir("/project")
print("Python", sys.version)
import pytest
int(pytest.main(["-p", "no:cacheprovider", *arguments]))
`);
