"""Chinese and Japanese that come in words: told from running text, and left in words."""

import pytest

from tunesmith.corpus.segmented import segmented_language, tokeniser_language

ZH = ["我们 明天 去 北京 。", "Dashboard UI 现在 处理 所有 工作 负载 资源 。"]
JA = ["京都 に 行き たい 。", "雪舟 は 日本 の 画家 で ある"]


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (ZH, "zh"),
        (JA, "ja"),
        (["".join(line.split()) for line in ZH], ""),
        (["".join(line.split()) for line in JA], ""),
        (["我们在 Kubernetes 中使用的是 1.3 版本的 API 服务器", "它提供了许多新功能"], ""),
        (["the old house , by the sea"], ""),
        (["мы завтра едем в пекин"], ""),
        (["우리는 내일 베이징에 간다"], ""),
        (["the character 京 is the second of 东京 in this text"], ""),
        (["北京", "东京", "上海"], ""),  # a list of names says nothing
        ([""], ""),
        ([], ""),
    ],
)
def test_text_in_words(lines, language):
    assert segmented_language(lines) == language


def test_the_given_language_counts_unless_it_would_cut_words(caplog):
    caplog.set_level("INFO", logger="tunesmith")
    assert tokeniser_language("en", ["the old house by the sea"], "source") == "en"
    assert tokeniser_language("zh", JA, "source") == "zh"
    assert not caplog.records
    assert tokeniser_language("en", JA, "source") == "ja"
    assert "--source-language ja" in caplog.text
