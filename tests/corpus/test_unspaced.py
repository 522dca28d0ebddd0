"""Scripts without spaces: their words, running text again, and which text needs it."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import ConfigError
from tunesmith.corpus.choosing import kind_of
from tunesmith.corpus.tokenizers import Tokenizer, UnigramTokenizer
from tunesmith.corpus.unspaced import learn_pieces, runs

# Two-character words that always come together, in any order.
WORDS = ["图书", "软件", "网站", "文档", "节点", "仓库"]


def text(lines=300):
    chance = random.Random(1)
    return ["".join(chance.choices(WORDS, k=chance.randint(2, 6))) + "。" for _ in range(lines)]


@pytest.fixture(scope="module")
def fitted():
    return UnigramTokenizer().fit(text())


def test_words_are_those_that_come_together(fitted):
    for line in text():
        *words, mark = fitted.tokenize([line])[0].split()
        assert mark == "。"
        assert all(len(word) % 2 == 0 for word in words)  # no word is cut
    assert fitted.tokenize(["文档在Kubernetes v1.2的节点。"]) == [
        "文档 在 Kubernetes v1.2 的 节点 。"
    ]
    assert fitted.tokenize(["", " "]) == ["", ""]


def test_the_way_back_has_no_spaces_that_were_not_there(fitted):
    for line in [
        *text()[:20],
        "使用kubectl get pods命令，查看2个节点。",
        "ก ข",
        "日本語のテキスト！",
    ]:
        assert fitted.detokenize(fitted.tokenize([line])) == [line]


def test_spaces_beside_other_scripts_are_as_in_the_text():
    lines = ["使用 Kubernetes 的网站", "安装 Python 软件"]
    spaced = UnigramTokenizer().fit(lines)
    assert spaced.spaced
    assert spaced.detokenize(spaced.tokenize(lines)) == lines
    assert not UnigramTokenizer().fit(["使用Kubernetes的网站"]).spaced


@pytest.mark.parametrize("line", ["ខ្ញុំទិញសៀវភៅ 45។", "ចាប់ផ្តើម 3 ម៉ោង។ បាទ។", "စာအုပ် 45။"])
def test_a_number_before_a_full_stop_keeps_its_space(line):
    raw = UnigramTokenizer().fit([line] * 3)
    assert raw.detokenize(raw.tokenize([line])) == [line]


def test_a_saved_one_is_the_same(fitted):
    again = Tokenizer.from_dict(fitted.to_dict())
    assert again.to_dict() == fitted.to_dict()
    assert again.tokenize(text(5)) == fitted.tokenize(text(5))


@pytest.mark.parametrize("content", ["%", "日"])
def test_a_broken_one_is_refused(content):
    with pytest.raises(ConfigError, match="content is not base 64"):
        Tokenizer.from_dict({"name": "unigram", "content": content})


def test_too_little_text_leaves_characters():
    for lines in ([], ["abc"]):
        assert learn_pieces(lines) == b""
        assert UnigramTokenizer().fit(lines).tokenize(["日本ab"]) == ["日 本 ab"]
    # A mark stays with its letter.
    assert UnigramTokenizer().tokenize(["กำที่"]) == ["กำ ที่"]


def test_the_same_text_gives_the_same_bytes_in_another_process(fitted):
    code = (
        "import sys; from tunesmith.corpus.unspaced import learn_pieces; "
        "sys.stdout.buffer.write(learn_pieces(sys.stdin.read().splitlines()))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], input="\n".join(text()).encode(), capture_output=True,
        check=True, env={"PYTHONHASHSEED": "7", "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert made.stdout == fitted.content


@given(st.text(st.sampled_from("图书軟仮名カナกขกํ abZ09.,。（「▁\t"), max_size=30))
def test_no_character_is_lost(line):
    tokenizer = UnigramTokenizer()
    words = tokenizer.tokenize([line])
    assert len(words) == 1
    assert "".join(words[0].split()).replace("▁", "") == "".join(line.split()).replace("▁", "")
    back = tokenizer.detokenize(words)[0]
    assert "".join(back.split()).replace("▁", "") == "".join(line.split()).replace("▁", "")


def test_runs_and_marks():
    assert runs("アート、art と 美術") == ["アート", "と", "美術"]
    spaced = UnigramTokenizer(spaced=True)
    assert spaced.detokenize(["「 日本 」 と API 。"]) == ["「日本」と API。"]


@pytest.mark.parametrize(
    ("line", "tokenizer", "language", "segmented"),
    [
        ("Das ist ein Haus.", "moses", "", False),
        ("", "moses", "", False),
        ("한국어는 띄어쓰기가 있다", "moses", "", False),
        ("本仓库包含了所有文档。", "unigram", "zh", False),
        ("在Python 3.7.2中，Windows下的venv不再复制原来的二进制文件", "unigram", "zh", False),
        ("本 仓库 包含 了 所有 文档 。", "moses", "zh", True),
        ("Dashboard UI 现在 处理 所有 工作 负载 资源 。", "moses", "zh", True),
        ("我们在 Kubernetes 中使用的是 1.3 版本的 API 服务器", "unigram", "zh", False),
        ("мы завтра едем в пекин", "moses", "", False),
        ("主に木の板で作られる", "unigram", "ja", False),
        ("主 に 木 の 板 で 作ら れる", "moses", "ja", True),
        ("ฉันรักภาษาไทย และชอบอาหารไทย", "unigram", "th", False),
        ("ຂ້ອຍຮັກພາສາລາວ", "unigram", "lo", False),
        ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "unigram", "km", False),
        ("ကျွန်တော်မြန်မာစာကိုလေ့လာနေပါတယ်", "unigram", "my", False),
        ("The word 漢字 means Chinese characters", "moses", "", False),
    ],
)
def test_what_kind_a_text_is(line, tokenizer, language, segmented):
    found = kind_of([line])
    assert (found.tokenizer, found.language, found.is_segmented) == (
        tokenizer, language, segmented,
    )  # fmt: skip
