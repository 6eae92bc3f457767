"""Sets up what the proof needs under `target/roundtrip`: two Python environments, two of Node, and the program itself."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TOOLS = ROOT / "target" / "roundtrip"
NEWEST_PYTHONS = ("python3.13", "python3.12", "python3")


def epitome() -> Path:
    """Builds the program and says where it is. Raises CalledProcessError where the build fails."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "epitome"


def python() -> Path:
    """The core environment's Python, with all that could be installed. Raises CalledProcessError if a required package is missing."""
    core = venv("core", [["-r", "core.txt"]], required=True)
    for line in requirements("optional.txt"):
        venv("core", [[line, "-c", "core.txt"]])
    for line in requirements("bare.txt"):
        venv("core", [["--no-deps", line]])
    venv("openhands", [["-r", "openhands.txt"]])
    return core


def requirements(name: str) -> Iterator[str]:
    """The lines of a requirements file that name a package."""
    for line in (HERE / "requirements" / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def venv(name: str, installs: list[list[str]], required: bool = False) -> Path:
    """Makes an environment where there is none, and installs into it; an install that was done before is left out."""
    folder = TOOLS / name
    binary = folder / "bin" / "python"
    if not binary.exists():
        subprocess.run([newest(), "-m", "venv", folder], check=True)
    for words in installs:
        done = folder / ("installed" + "".join(words) + digest(words))
        if done.exists():
            continue
        print(f"installing {' '.join(words)}", file=sys.stderr)
        command: list[str | Path] = [binary, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words]
        if subprocess.run(command, cwd=HERE / "requirements", stdin=subprocess.DEVNULL, check=required).returncode == 0:
            done.touch()
    return binary


def digest(words: list[str]) -> str:
    """Changes when a requirements file that is named changes."""
    files = [HERE / "requirements" / word for word in words if word.endswith(".txt")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def newest() -> str:
    """The newest Python that starts: some of the packages want 3.12."""
    for name in NEWEST_PYTHONS:
        if shutil.which(name) and subprocess.run([name, "--version"], capture_output=True).returncode == 0:
            return name
    return sys.executable


def node() -> None:
    """Installs the Node packages; without npm, or where it fails, their rows are unavailable."""
    install("node", "--omit=optional")
    install("harnesses")


def install(name: str, *flags: str) -> None:
    """Copies one folder of readers beside its packages, and installs them once."""
    target = TOOLS / name
    target.mkdir(parents=True, exist_ok=True)
    before = (target / "package.json").read_bytes() if (target / "package.json").exists() else b""
    shutil.copytree(HERE / name, target, dirs_exist_ok=True)
    same = before == (target / "package.json").read_bytes() and (target / "node_modules").exists()
    if same or not shutil.which("npm"):
        return
    print(f"installing the Node packages of {name}", file=sys.stderr)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *flags]
    subprocess.run(command, cwd=target, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
