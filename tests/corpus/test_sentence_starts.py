from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.sentence_starts import Starts, sentence_starts
from tunesmith.corpus.sentences import Sentences

words = st.sampled_from(["the", "The", ".", "?", "(", '"', "42", "。", "日本"])


@given(st.lists(st.lists(words, max_size=8), max_size=8))
def test_starts_of_a_text_are_those_of_its_lines(lines):
    text = Sentences.from_lines(map(" ".join, lines))
    starts = Starts(text)
    expected = [sorted(sentence_starts(line)) for line in lines]
    assert starts.per_line.tolist() == list(map(len, expected))
    assert starts.lines.tolist() == [i for i, own in enumerate(expected) for _ in own]
    assert starts.numbers.tolist() == [n for own in expected for n in range(len(own))]
    begins = text.offsets[starts.lines].astype(int)
    assert (starts.positions - begins).tolist() == [place for own in expected for place in own]
