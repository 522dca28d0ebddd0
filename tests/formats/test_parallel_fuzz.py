"""Whatever is done to a good file, readers of parallel text answer with pairs or an InputError."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.base.errors import InputError
from tunesmith.formats.parallel import read_parallel

GOOD = {
    "x.tsv": b"ein Haus\ta house\nzwei\ttwo\n",
    "x.tmx": (
        b'<?xml version="1.0"?><tmx version="1.4"><header srclang="de"/><body><tu>'
        b'<tuv xml:lang="de"><seg>ein <hi>Haus</hi> &amp;</seg></tuv>'
        b'<tuv xml:lang="en"><seg>a house</seg></tuv></tu></body></tmx>'
    ),
    "x.xlf": (
        b'<xliff version="1.2"><file><body><trans-unit><source>a <g>b</g></source>'
        b"<target>c</target></trans-unit></body></file></xliff>"
    ),
    "x.po": (
        b'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#, c-format\n'
        b'msgid "a\\n"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "\\x41\\101"\n'
    ),
    "x.mo": bytes.fromhex(
        "de12049500000000020000001c0000002c0000000000000000000000"
        "000000003c000000010000003d0000001700000 03f0000000300000057000000".replace(" ", "")
    )
    + b"\0a\0charset=UTF-8; plural=0\0b\0c\0",
    "x.tsv.gz": gzip.compress(b"a\tb\n" * 20, mtime=0),
}

edits = st.lists(
    st.tuples(
        st.sampled_from(["cut", "set", "insert", "double"]),
        st.floats(0, 1, exclude_max=True),
        st.one_of(
            st.binary(min_size=1, max_size=4), st.sampled_from([b"<", b'"', b"\0", b"\n", b"&"])
        ),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("name", GOOD)
@settings(max_examples=300)
@given(edits=edits)
def test_edited_files(name, edits, tmp_path_factory):
    content = GOOD[name]
    for kind, place, new in edits:
        at = int(place * len(content))
        if kind == "cut":
            content = content[:at]
        elif kind == "set":
            content = content[:at] + new + content[at + len(new) :]
        elif kind == "insert":
            content = content[:at] + new + content[at:]
        else:
            content += content[at:]
    path = tmp_path_factory.mktemp("edited") / name
    path.write_bytes(content)
    message, pairs = str(path), []
    try:
        pairs = list(read_parallel(path))
    except InputError as error:
        message = str(error)
    assert message.startswith(str(path))
    assert "\n" not in message
    for pair in pairs:
        assert all("\n" not in side and "\0" not in side for side in pair)


@pytest.mark.parametrize("name", GOOD)
def test_the_files_are_good(name, tmp_path):
    (tmp_path / name).write_bytes(GOOD[name])
    assert list(read_parallel(tmp_path / name))
