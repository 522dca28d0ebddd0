"""Every verb can say what it does: no two of its options clash."""

import pytest

from tunesmith.cli.main import VERBS, main


@pytest.mark.parametrize("verb", list(VERBS))
def test_help(verb, capsys):
    with pytest.raises(SystemExit) as end:
        main([verb, "--help"])
    assert end.value.code == 0
    assert f"usage: tunesmith {verb}" in capsys.readouterr().out
