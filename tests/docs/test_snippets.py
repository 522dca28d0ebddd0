"""Every command and every piece of Python in the guides is executed, in order, in a new folder.

Blocks marked ``console`` have commands behind ``$`` (and ``>``) and their output; ``python`` blocks
are run by themselves. What a command prints must be what the page shows (`printed.py` says how near
its numbers must be). To write the pages' outputs anew:

    python tests/docs/test_snippets.py --update
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tunesmith.cli.main import VERBS

sys.path.insert(0, str(Path(__file__).parent))
import example_lists
from printed import differences

ROOT = Path(__file__).resolve().parents[2]
# Page → what its reader has already.
PAGES = {
    "README.md": example_lists.write_scores,
    "docs/guides/rerank-nmt.md": example_lists.write_nmt,
    "docs/guides/rerank-speech.md": example_lists.write_speech,
    "docs/guides/train.md": lambda folder: None,
    "docs/guides/terms.md": lambda folder: None,
    "docs/guides/compare.md": lambda folder: None,
    "docs/report.md": lambda folder: None,
    "docs/graphs.md": lambda folder: None,
    "docs/python.md": example_lists.write_scores,
    "docs/own-parts.md": example_lists.write_scores,
}
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)\n", re.MULTILINE)
# What these print are words that a model chose, and changes with it.
ITS_OWN_WORDS = ("head", "cat", "echo", "tunesmith translate", "tunesmith inspect")


@dataclass
class Snippet:
    """Something to execute, and what the page shows behind it."""

    kind: str
    code: str
    shown: str
    place: tuple[int, int]
    """Where the shown output is in the page."""


def snippets(text):
    """All of a page, in order."""
    for block in BLOCK.finditer(text):
        kind, body, begin = block[1], block[2], block.start(2)
        if kind == "python":
            yield Snippet(kind, body, "", (begin, begin))
            continue
        commands = list(COMMAND.finditer(body))
        ends = [command.start() for command in commands[1:]] + [len(body)]
        for command, end in zip(commands, ends, strict=True):
            output = (begin + command.end(), begin + end)
            code = command[1].replace("\n> ", "\n")
            yield Snippet(kind, code, body[command.end() : end], output)


def execute(snippet, folder):
    """The output of both streams; a failure is an assertion with all that was said."""
    command = [sys.executable, "-c", snippet.code]
    if snippet.kind == "console":
        command = ["bash", "-c", snippet.code]
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    finished = subprocess.run(
        command, cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert finished.returncode == 0, f"{snippet.code}\n{finished.stdout}"
    return finished.stdout


@pytest.mark.parametrize("page", list(PAGES))
def test_the_page_tells_the_truth(page, tmp_path):
    text = (ROOT / page).read_text(encoding="utf-8")
    found = list(snippets(text))
    assert found
    PAGES[page](tmp_path)
    for snippet in found:
        said = execute(snippet, tmp_path)
        if snippet.kind == "console" and not snippet.code.startswith(ITS_OWN_WORDS):
            assert not differences(snippet.shown, said), f"{page}: {snippet.code}"


def test_links_lead_somewhere():
    pages = [ROOT / "README.md", ROOT / "HACKING.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_readme_lists_every_verb():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for verb, summary in VERBS.items():
        assert f"| `{verb}` | {summary} |\n" in text


def test_the_index_leads_to_every_page():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name == "index.md" or f"]({name})" in index, name


def update(pages):
    """Rewrite the outputs of some pages."""
    for page, prepare in PAGES.items():
        if page not in pages:
            continue
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        with TemporaryDirectory() as folder:
            prepare(Path(folder))
            outputs = [(one, execute(one, folder)) for one in snippets(text)]
        for one, said in reversed(outputs):
            if one.kind == "console":
                text = text[: one.place[0]] + said + text[one.place[1] :]
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__" and "--update" in sys.argv:
    update(sys.argv[2:] or PAGES)
