"""Catalogues of Debian packages, translated anew: does `msgfmt -c` accept them, and what is lost?

    python bench/software_text.py MODEL --language de [wget nautilus apt coreutils] [--po FOLDER]

Fetches the packages' sources with apt (or takes a folder with one folder per package), empties
every catalogue in the language (`de.po`, `de_AT.po`), translates it with the model, and has
`msgfmt` check formats, headers and accelerators. Units (directives, tags, addresses, options,
variables) are found by the few patterns below, not by those of Tunesmith.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import polib

PACKAGES = ["wget", "nautilus", "apt", "coreutils"]
DIRECTIVE = re.compile(r"%[-+#0]*[\d*]*(?:\.[\d*]+)?(?:hh?|ll?|[zjt])?[diouxXeEfgGcsp]\b")
UNITS = re.compile(
    r"""%(?:\d+\$)?[-+#0]*[\d*]*(?:\.[\d*]+)?(?:hh?|ll?|[zjt])?(?:<PRI\w+>|[a-zA-Z](?![a-z]{2}))
    |%\(\w+\)\w|%%|\{[^{}\s]*\}|\$\{?\w+\}?|\$\(\w+\)|</?[a-z][^<>]*>|&\#?[\w-]+;|\w+://[^\s<>"')]*[\w/]
    |[\w.+-]+@[\w-]+\.[\w.-]*\w|\w+_\w+|(?<![\w-])(?:--[a-zA-Z][\w-]*\w|-[a-zA-Z](?!\w))
    |(?<!\w)(?:[BIS]<|[CFEL]<[^<>\s]*>)|\\f[BIRP]""",
    re.VERBOSE,
)
NUMBERS = re.compile(r"(%)\d+\$|(\*)\d+\$")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("packages", nargs="*", default=PACKAGES, metavar="PACKAGE")
    parser.add_argument("--language", required=True)
    parser.add_argument("--po", type=Path, metavar="FOLDER", help="instead of a download")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument(
        "--mark", default="_", help="of accelerators, checked where a message begins with one"
    )
    arguments = parser.parse_intermixed_args()
    total = Counter()
    with TemporaryDirectory() as work:
        folder = arguments.po or fetch(arguments.packages, arguments.suite, Path(work))
        for package in arguments.packages:
            for path in sorted((folder / package).rglob("*.po")):
                if re.split(r"[_@.]", path.name)[0] == arguments.language:
                    counts = check(path, arguments, Path(work))
                    print(
                        f"{package} {path.relative_to(folder / package)}: {said(counts)}",
                        flush=True,
                    )
                    total += counts
    print(f"total: {said(total)}")
    return bool(total["complaints"] or total["changed"])


def said(counts):
    return (
        f"{counts['written']:,} of {counts['messages']:,} messages written; "
        f"{counts['complaints']} complaints of msgfmt -c; "
        f"{counts['changed']} of {counts['units']:,} units changed"
    )


def fetch(packages, suite, work):
    """The sources, unpacked; their versions and hashes are printed."""
    folder, lists = work / "sources", work / "lists/partial"
    lists.mkdir(parents=True)
    (work / "cache/archives/partial").mkdir(parents=True)
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (work / "sources.list").write_text(
        f"deb-src [signed-by={key}] http://deb.debian.org/debian {suite} main\n"
    )
    options = {
        "Etc::sourcelist": "sources.list",
        "Etc::sourceparts": "none",
        "State::lists": "lists",
        "Cache": "cache",
    }
    apt = ["apt-get", "-qq", *(f"-oDir::{name}={work / at}" for name, at in options.items())]
    subprocess.run([*apt, "update"], check=True)
    for package in packages:
        (folder / package).mkdir(parents=True)
        subprocess.run(
            [*apt, "source", "--download-only", package], check=True, cwd=folder / package
        )
        for path in sorted((folder / package).glob("*.tar.*")):
            if not path.name.endswith(".asc"):
                print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
                subprocess.run(
                    ["tar", "-xf", path, "--wildcards", "*.po"],
                    check=False,
                    cwd=folder / package,
                    stderr=subprocess.DEVNULL,
                )
    return folder


def check(path, arguments, work):
    """Empties a catalogue, translates it and compares."""
    empty, done = work / "empty.po", work / "done.po"
    catalogue = polib.pofile(path)
    for entry in catalogue:
        entry.msgstr, entry.flags = "", [flag for flag in entry.flags if flag != "fuzzy"]
        entry.msgstr_plural = dict.fromkeys(entry.msgstr_plural, "")
    catalogue.save(empty)
    done.unlink(missing_ok=True)
    subprocess.run(
        [
            sys.executable,
            "-m",
            "tunesmith.cli.main",
            "translate",
            arguments.model,
            "--input",
            empty,
            "--out",
            done,
            "--threads",
            "1",
        ],
        check=True,
    )
    command = ["msgfmt", "-c", "--use-fuzzy", "-o", "/dev/null"]
    if any(re.match(rf"{arguments.mark}[A-Z][a-z]", entry.msgid) for entry in catalogue):
        command.append(f"--check-accelerators={arguments.mark}")
    before, after = (complaints([*command, one], one) for one in (empty, done))
    new = list((Counter(after) - Counter(before)).elements())
    for line in new:
        print(f"  msgfmt: {line}")
    counts = Counter(complaints=len(new))
    for entry in (one for one in polib.pofile(done) if not one.obsolete):
        sources = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
        for text in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            if not any(letter.isalpha() for letter in entry.msgid):
                continue
            counts["messages"] += 1
            if not text:
                continue
            counts["written"] += 1
            lost = min((difference(source, text, arguments.mark) for source in sources), key=len)
            counts["units"] += len(UNITS.findall(without_mark(sources[-1], arguments.mark)))
            counts["changed"] += len(lost)
            if lost:
                print(f"  {sources[-1]!r} → {text!r}: {lost}")
    return counts


def complaints(command, path):
    """What msgfmt says of the messages of a file, without numbers of lines."""
    lines = subprocess.run(command, check=False, capture_output=True, text=True).stderr.splitlines()
    return [re.sub(r"^.*?\.po:\d+: ", "", line) for line in lines if f"{path}:" in line]


def difference(source, text, mark):
    """Units that a translation has not as often as its source."""
    source, text = (without_mark(one, mark) for one in (source, text))
    wanted = set(UNITS.findall(source)) | set(DIRECTIVE.findall(text))
    return [one for one in wanted if how_often(one, source) != how_often(one, text)]


def how_often(unit, text):
    if not unit.startswith("-"):
        return text.count(unit)
    return len(re.findall(rf"(?<![\w-]){re.escape(unit)}(?!\w)", text))


def without_mark(text, mark):
    text = NUMBERS.sub(r"\1\2", " ".join(text.split()))
    return text.replace(mark, "", 1) if text.count(mark) == 1 else text


if __name__ == "__main__":
    sys.exit(main())
