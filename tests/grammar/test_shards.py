"""Phrase pairs counted over shards: the same table however many there are."""

import numpy as np
import pytest

from reference.shard_engines import ENGINES, ShardEngine
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar import PhraseExtraction
from tunesmith.grammar.extraction import text_with_links


@pytest.fixture(scope="module")
def text():
    pairs = phrasebook.sample(400, seed=5)
    bitext = Bitext.from_lines([p.source for p in pairs], [p.target for p in pairs])
    return bitext, Links.from_lists(pair.links for pair in pairs)


@pytest.mark.parametrize("options", [{}, {"orientation": "hierarchical", "significance": "a-e"}])
def test_the_same_bytes(options, text, tmp_path):
    tables = set()
    for number, engine in enumerate(ENGINES if not options else ENGINES[:-1]):
        path = tmp_path / f"{number}.bin"
        PhraseExtraction(engine=engine, **options).run(*text, path)
        tables.add(path.read_bytes())
    assert len(tables) == 1
    assert {path.suffix for path in tmp_path.iterdir()} == {".bin"}  # nothing is left behind


def test_a_part_that_does_not_fit_is_refused(text, tmp_path):
    options, path = _core.TableOptions(), str(tmp_path / "part")
    with pytest.raises(OptionError, match="sentences that the corpus does not have"):
        _core.extract_phrase_pairs(*text_with_links(*text), options, 300, 401, path)
    _core.extract_phrase_pairs(*text_with_links(*text), options, 200, 400, path)
    chosen = np.arange(100)
    fewer = text[0].select(chosen), text[1].select(chosen)
    words = [side.vocabulary.native for side in (text[0].source, text[0].target)]
    with pytest.raises(InputError, match=r"part: .*instances"):
        _core.build_phrase_table(
            *text_with_links(*fewer),
            *words,
            options,
            str(tmp_path / "t"),
            "{}",
            print,
            [path],
            np.empty(0, np.uint8),
            1,
        )
    assert not (tmp_path / "t").exists()


def test_an_empty_text_has_no_shards(tmp_path):
    table = PhraseExtraction(engine=ShardEngine(3)).run(
        Bitext.from_lines([], []), Links.from_lists([]), tmp_path / "t"
    )
    assert len(table) == 0
