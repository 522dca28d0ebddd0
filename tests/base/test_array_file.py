import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError, OptionError


@given(
    arrays=st.dictionaries(
        st.text(min_size=1, max_size=8),
        hnp.arrays(
            st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.uint8, np.uint64]),
            hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=7),
        ),
        max_size=4,
    )
)
def test_what_is_written_is_read(arrays, tmp_path_factory):
    path = tmp_path_factory.mktemp("arrays") / "a.bin"
    write_arrays(path, "test", 3, arrays)
    back = read_arrays(path, "test", 3)
    assert list(back) == list(arrays)
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        np.testing.assert_array_equal(back[name], array)


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "a.bin"
    write_arrays(path, "test", 1, {"x": np.arange(100, dtype=np.int32)})
    return path


def test_another_kind_or_version_is_refused(written):
    with pytest.raises(InputError, match=r"kind 'test', expected a tunesmith file of kind 'lm'"):
        read_arrays(written, "lm", 1)
    with pytest.raises(InputError, match=r"a.bin: version 1, expected version 2; make the file"):
        read_arrays(written, "test", 2)


@pytest.mark.parametrize("kept", [0, 7, 63, 64, 100, 300, 500])
def test_a_file_cut_short_is_refused(written, kept):
    written.write_bytes(written.read_bytes()[:kept])
    with pytest.raises(InputError):
        read_arrays(written, "test", 1)


def test_every_flipped_byte_of_data_or_directory_is_noticed(written):
    whole = written.read_bytes()
    for position in [*range(64, 64 + 400), *range(464, len(whole))]:
        broken = bytearray(whole)
        broken[position] ^= 0x41
        written.write_bytes(broken)
        with pytest.raises(InputError):
            read_arrays(written, "test", 1)


def test_every_piece_of_a_large_array_has_its_checksum(tmp_path):
    path = tmp_path / "a.bin"
    write_arrays(path, "test", 1, {"x": np.zeros(1 << 17, np.uint8)})
    whole = path.read_bytes()
    for position in [64, 64 + (1 << 14) - 1, 64 + (1 << 14), 64 + 100_000, 64 + (1 << 17) - 1]:
        broken = bytearray(whole)
        broken[position] = 1
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"a.bin: the contents of array 'x' have changed"):
            read_arrays(path, "test", 1)


def test_a_file_of_the_first_layout_is_refused(written):
    """Files had one checksum per array, and zeros at the end of the header."""
    first = bytearray(written.read_bytes())
    first[56:64] = bytes(8)
    written.write_bytes(first)
    with pytest.raises(InputError) as caught:
        read_arrays(written, "test", 1)
    assert str(caught.value) == (
        f"{written}: written by another version of tunesmith, expected layout 2 of its binary "
        "files; make the file again with this version of tunesmith"
    )


def test_types_and_dimensions_that_are_asked_for(written):
    read_arrays(written, "test", 1, {"x": (np.int32, 1)})
    with pytest.raises(InputError, match=r"a.bin: no array 'y', expected a whole file"):
        read_arrays(written, "test", 1, {"y": (np.int32, 1)})
    message = r"array 'x' of type int32 with 1 dimensions, expected type float32 with 2"
    with pytest.raises(InputError, match=message):
        read_arrays(written, "test", 1, {"x": (np.float32, 2)})


def test_other_files_and_missing_files(tmp_path):
    (tmp_path / "text").write_text("hello\n" * 100)
    with pytest.raises(InputError, match="not a tunesmith binary file"):
        read_arrays(tmp_path / "text", "test", 1)
    with pytest.raises(InputError, match="No such file or directory, expected a readable file"):
        read_arrays(tmp_path / "none", "test", 1)


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    with pytest.raises(OptionError):
        write_arrays(tmp_path / "a.bin", "a kind with too long a name", 1, {})
    assert list(tmp_path.iterdir()) == []
