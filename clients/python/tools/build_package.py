# SPDX-License-Identifier: Apache-2.0
"""Builds the package without any other package, for `pip install .` and for `make clients` (PEP 517).

A wheel is a zip of the modules with a list of their hashes. api.py and types.py are made first, from the description of the
API; in a source distribution they are there already.
"""
import base64
import hashlib
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "src" / "holdfast"
NAME = "holdfast_client"


def _project(key):
    return re.search(rf'^{key} = "([^"]*)"', (ROOT / "pyproject.toml").read_text(), re.M).group(1)


def _generate():
    generator = ROOT.parent / "generate" / "main.js"
    if generator.exists():
        subprocess.run(["node", str(generator), "python", str(MODULES)], check=True)


def _license():
    return next(at / "LICENSE" for at in (ROOT, ROOT.parent.parent) if (at / "LICENSE").exists())


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: {_project('name')}\nVersion: {_project('version')}\n"
        f"Summary: {_project('description')}\nLicense: Apache-2.0\nRequires-Python: {_project('requires-python')}\n"
        f"Project-URL: Repository, {_project('Repository')}\nDescription-Content-Type: text/markdown\n\n"
        + (ROOT / "README.md").read_text()
    ).encode()


def _modules():
    return sorted(path for path in MODULES.iterdir() if path.suffix == ".py" or path.name == "py.typed")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _generate()
    stem = f"{NAME}-{_project('version')}"
    info = f"{stem}.dist-info"
    files = {f"holdfast/{path.name}": path.read_bytes() for path in _modules()}
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: holdfast\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/LICENSE"] = _license().read_bytes()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items()
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    _generate()
    stem = f"{NAME}-{_project('version')}"
    with tarfile.open(Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as out:
        for path in [*_modules(), ROOT / "pyproject.toml", ROOT / "README.md", Path(__file__).resolve()]:
            out.add(path, f"{stem}/{path.relative_to(ROOT)}")
        out.add(_license(), f"{stem}/LICENSE")
    return f"{stem}.tar.gz"


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
