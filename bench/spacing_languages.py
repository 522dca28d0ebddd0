"""Claim: words alone become the running text they were, in any of thirty languages.

GNOME's help and LibreOffice's (Debian packages, fetched by apt-get download; their names, versions
and hashes are printed): pages in turn are for learning and for testing, paragraphs that are not
translated or stand in both parts are left out. The words of the test pages go through a file,
without their places, and come back by a spacing that was learned from the other pages.

White space is right if it is the same character or there is none on both sides, between any two
words of ours and wherever there is some before or after. Beside it, if asked, the same of another
version, by its own words and its own way back.

    python bench/spacing_languages.py [--languages fr,uk] [--cache FOLDER] [--other PYTHON]
                                      [--errors]
"""

import argparse
import collections
import hashlib
import html
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from tunesmith.corpus.tokenizers import MosesTokenizer, UnigramTokenizer

GNOME = "gnome-user-docs"
OFFICE = {"km": "libreoffice-help-km", "hi": "libreoffice-help-hi", "tr": "libreoffice-help-tr"}
LANGUAGES = (
    "ca,cs,da,de,el,en,es,fa,fi,fr,gl,gu,hi,hr,hu,id,it,ja,km,ko,lv,mr,nl,pl,pt,pt_BR,ru,sl,sr,sv,"
    "ta,tr,uk,vi,zh_CN"
)
UNSPACED = ("ja", "zh", "km")
MALLARD = "{http://projectmallard.org/1.0/}"
CLAIM, CLAIMED = 0.99, 20


def fetch(package, cache):
    """The folder of a package's files."""
    folder = cache / package
    if not folder.is_dir():
        subprocess.run(["apt-get", "-q", "download", package], cwd=cache, check=True)
        (archive,) = cache.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", archive, folder], check=True)
    (archive,) = cache.glob(f"{package}_*.deb")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    print(f"{archive.name} sha256 {digest}", file=sys.stderr)
    return folder


def gnome_page(path):
    """The paragraphs and titles of a page of GNOME's help."""
    for element in ET.parse(path).getroot().iter():
        if element.tag in (MALLARD + "p", MALLARD + "title"):
            yield "".join(element.itertext())


def office_page(path):
    """The paragraphs and titles of a page of LibreOffice's help, but for code."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'<p[^>]*class="[^"]*code.*?</p>', "", text, flags=re.DOTALL)
    for _, paragraph in re.findall(r"<(p|h[1-6])\b[^>]*>(.*?)</\1>", text, re.DOTALL):
        yield html.unescape(re.sub(r"<[^>]*>", "", paragraph))


def pages(language, cache):
    """All pages of a language as lists of lines, and all lines that are English."""
    if language in OFFICE:
        folder = fetch(OFFICE[language], cache) / "usr/share/libreoffice/help"
        paths = sorted((folder / language / "text").rglob("*.html"))
        read, english = office_page, []
    else:
        folder = fetch(GNOME, cache) / "usr/share/help"
        code = "C" if language == "en" else language
        paths = sorted((folder / code / "gnome-help").glob("*.page"))
        read, english = gnome_page, sorted((folder / "C/gnome-help").glob("*.page"))

    def lines(path):
        # Spaces of no width, which Khmer has where a line may be broken, are not white space here.
        return [
            re.sub(r"[ \t\r\n]+", " ", line.replace("\u200b", "")).strip() for line in read(path)
        ]

    other = {line for path in english for line in lines(path)} if language != "en" else set()
    return [lines(path) for path in paths], other


def parts(language, cache):
    """Lines for learning, lines for testing."""
    found, english = pages(language, cache)
    learning = [line for page in found[::2] for line in page]
    seen = english | set(learning) | {""}
    # Every line once; in a script of its own, lines without letters of it are English too.
    testing = list(dict.fromkeys(line for page in found[1::2] for line in page))
    testing = [line for line in testing if line not in seen]
    learning = [line for line in dict.fromkeys(learning) if line and line not in english]
    if language in OFFICE:
        learning, testing = (
            [line for line in part if any(c > "\x7f" for c in line)] for part in (learning, testing)
        )
    return learning[:8000], testing[:4000]


def restore(language, learning, testing):
    """The words of lines, and those words as running text."""
    if language in UNSPACED:
        tokenizer = UnigramTokenizer().fit(learning)
    else:
        tokenizer = MosesTokenizer(language)
    words = tokenizer.tokenize(testing)
    try:
        from tunesmith.corpus.lines import find_spans
        from tunesmith.corpus.spacing import Spacing
    except ImportError:  # another version
        return words, tokenizer.detokenize(words)
    cut = map(str.split, tokenizer.tokenize(learning))
    spans = list(map(find_spans, learning, cut))
    learned = Spacing(language).fit(learning, spans)
    with tempfile.TemporaryDirectory() as place:
        spacing, text = Path(place) / "spacing.json", Path(place) / "words"
        spacing.write_text(json.dumps(learned.to_dict()), encoding="utf-8")
        text.write_text("".join(f"{line}\n" for line in words), encoding="utf-8")
        print(f"{language}: {spacing.stat().st_size:,} bytes", file=sys.stderr)
        again = Spacing.from_dict(json.loads(spacing.read_text(encoding="utf-8")))
        return words, again.join(text.read_text(encoding="utf-8").split("\n")[:-1])


def spaces(text):
    """The characters of a text, and the white space before each."""
    characters, before = [], []
    gap = ""
    for character in text:
        if character.isspace():
            gap += character
        else:
            characters.append(character)
            before.append(gap)
            gap = ""
    return characters, before


def compare(line, words, ours, errors):
    """How many places for white space a line has, and how many are right."""
    characters, true = spaces(line)
    again, found = spaces(ours)
    if again != characters:
        errors[f"characters: {line} → {ours}"] += 1
        return len(line), 0
    begins = [gap != "" for gap in spaces(words.replace("▁", " "))[1]]
    places = right = 0
    for i in range(1, len(true)):
        if begins[i] or true[i] or found[i]:
            places += 1
            right += true[i] == found[i]
            if true[i] != found[i]:
                left, behind = "".join(characters[max(i - 9, 0) : i]), characters[i : i + 9]
                errors[f"{left}[{true[i]}]{''.join(behind)}"] += 1
    return places, right


def score(testing, words, text, result, show=False):
    """Shares of white space and of lines that are right."""
    errors = collections.Counter()
    places = right = whole = 0
    for line, cut, back in zip(testing, words, result, strict=True):
        of_line = compare(line, cut, back, errors)
        places, right, whole = places + of_line[0], right + of_line[1], whole + (line == back)
    if show:
        for error, count in errors.most_common(15):
            print(f"    {count:5} {error}")
    return right / places, whole / len(testing)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--languages", default=LANGUAGES)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--other", help="Python of another version, for comparison")
    parser.add_argument("--errors", action="store_true", help="Print the most frequent errors")
    parser.add_argument("--restore", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.restore:
        json.dump(restore(*json.load(sys.stdin))[1], sys.stdout)
        return 0
    with tempfile.TemporaryDirectory() as place:
        cache = options.cache or Path(place)
        cache.mkdir(parents=True, exist_ok=True)
        print(f"{'':8}{'lines':>8} {'white space':>12} {'whole lines':>12} {'other version':>24}")
        good = 0
        for language in options.languages.split(","):
            learning, testing = parts(language, cache)
            code = language.partition("_")[0]
            words, result = restore(code, learning, testing)
            share, whole = score(testing, words, words, result, options.errors)
            good += share >= CLAIM
            row = f"{language:8}{len(testing):8,} {share:12.2%} {whole:12.2%}"
            if options.other:
                answer = subprocess.run(
                    [options.other, __file__, "--restore"],
                    input=json.dumps([code, learning, testing]), capture_output=True, text=True,
                    check=True, cwd="/",
                )  # fmt: skip
                share, whole = score(testing, words, words, json.loads(answer.stdout))
                row += f" {share:11.2%} {whole:12.2%}"
            print(row, flush=True)
        print(f"{good} languages with at least {CLAIM:.0%} of white space, claim {CLAIMED}")
        return 0 if good >= min(CLAIMED, len(options.languages.split(","))) else 1


if __name__ == "__main__":
    sys.exit(main())
