"""For every dialect of n-best lists a table of broken lines and the message that each gets."""

UTF8 = "UTF-8; convert the file, for example with `iconv -t utf-8`"
EVERY = "expected it on every line; if lines may lack it, name it with --dense"
NO_LM = "no feature 'LM', " + EVERY
HOLE = "every sentence needs at least one hypothesis"
FIELDS = "expected id ||| text ||| features ||| total"

MOSES = b"0 ||| a ||| LM= 1 TM= 1 2 ||| -1\n"
# What the three fields have in common, as (line, message).
PIPES = [
    (b"1", f"'1' without '|||', {FIELDS}"),
    (b"", f"'' without '|||', {FIELDS}"),
    (b"x ||| a ||| LM=1", "sentence id 'x', expected a whole number from 0"),
    (b"-1 ||| a ||| LM=1", "sentence id '-1', expected a whole number from 0"),
    (b"99999999999 ||| a ||| LM=1",
     "sentence id '99999999999', expected a whole number from 0"),
    (b" ||| a ||| LM=1", "sentence id '', expected a whole number from 0"),
    (b"1 ||| \xe4 ||| LM=1", f"byte 0xe4 at column 7, expected {UTF8}"),
    (b"1 ||| a\0b ||| LM=1", f"byte 0x00 at column 8, expected {UTF8}"),
    (b"1 ||| a ||| LM=nan", "value 'nan' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=-inf", "value '-inf' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1e39", "value '1e39' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1e999", "value '1e999' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1,5", "value '1,5' of feature 'LM', expected a finite number"),
    (b"1 ||| a ||| LM=1 LM=2", "feature 'LM' twice, expected every feature once"),
    (b"1 ||| a ||| LM=1 x_y=2 x_y=2", "feature 'x_y' twice, expected every feature once"),
    (b"1 ||| a ||| LM= ||| -1", "no value after 'LM=', expected a number"),
    (b"1 ||| a ||| b ||| LM=1",
     "'b' among the features, expected 'name= value' or 'name=value'; "
     "is there a '|||' in the text?"),
    (b"1 ||| a ||| =1",
     "'=1' among the features, expected 'name= value' or 'name=value'; "
     "is there a '|||' in the text?"),
    (b"1 ||| a ||| LM=1 ||| much", "value 'much' of feature 'total', expected a finite number"),
    (b"2 ||| a ||| LM=1",
     "sentence id 2 after 0, expected 0 or 1; " + HOLE),
]  # fmt: skip

TABLES = {
    # dialect: (good first line, lines with their messages, good last line)
    "cdec": (b"0 ||| a ||| LM=1 ||| -1\n", PIPES, b"1 ||| b ||| LM=1 ||| -1\n"),
    "joshua": (b"0 ||| a ||| LM=1 tm_0=2 ||| -1\n", PIPES, b"1 ||| b ||| LM=1 tm_0=2 ||| -1\n"),
    "moses": (
        MOSES,
        [(line.replace(b"LM=1", b"LM= 1 TM= 1 2"), message) for line, message in PIPES
         if b"LM=1," not in line and b"LM=1e" not in line]
        + [
            (b"1 ||| a ||| LM= 1 TM= 1 ||| -1",
             "1 value of 'TM', expected 2, as on the first line"),
            (b"1 ||| a ||| LM= 1 TM= 1 2 3 ||| -1",
             "3 values of 'TM', expected 2, as on the first line"),
            (b"1 ||| a ||| LM= 1 2 TM= 1 2 ||| -1",
             "2 values of 'LM', expected 1, as on the first line"),
            (b"1 ||| a ||| TM= 1 2 ||| -1", NO_LM),
            (b"1 ||| a", NO_LM),
            (b"1 ||| a ||| LM= 1 TM= 1 1e39 ||| -1",
             "value '1e39' of feature 'TM_1', expected a finite number"),
            (b"1 ||| a ||| LM= 1 TM= 1 nan ||| -1",
             "value 'nan' of feature 'TM', expected a finite number"),
            (b"1 ||| a ||| LM= 1 TM= 1 2 w_x= ||| -1", "no value after 'w_x=', expected a number"),
        ],
        b"1 ||| b ||| LM= 1 TM= 1 2 ||| -1\n",
    ),
    "marian": (
        b"0 ||| a ||| F0= 1 F1= 2 ||| -1\n",
        [
            (b"1 ||| a ||| 0-0 ||| F0= 1 ||| -1", "no feature 'F1', " + EVERY),
            (b"1 ||| a ||| F0= 1 F1= 2 F0= 1 ||| -1",
             "feature 'F0' twice, expected every feature once"),
            (b"1 ||| a ||| F0= 1 F1= -nan ||| -1",
             "value '-nan' of feature 'F1', expected a finite number"),
            (b"1 ||| a ||| 0-0 ||| F0= 1 F1= 2 ||| inf",
             "value 'inf' of feature 'total', expected a finite number"),
            (b"1 ||| \xc3 ||| F0= 1 F1= 2 ||| -1", f"byte 0xc3 at column 7, expected {UTF8}"),
            (b"2 ||| a ||| F0= 1 F1= 2 ||| -1",
             "sentence id 2 after 0, expected 0 or 1; " + HOLE),
            (b"1 ||| a ||| F0= 1 2 F1= 2 ||| -1",
             "2 values of 'F0', expected 1, as on the first line"),
        ],
        b"1 ||| b ||| 0-0 1-1 ||| F0= 1 F1= 2 ||| -1\n",
    ),
    "labels": (
        b"0 ||| a ||| one\n",
        [
            (b"1 ||| a", "2 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| ", "3 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| b c", "3 fields, expected id ||| text ||| one label"),
            (b"1 ||| a ||| b ||| c", "4 fields, expected id ||| text ||| one label"),
            (b"y ||| a ||| b", "sentence id 'y', expected a whole number from 0"),
            (b"5 ||| a ||| b",
             "sentence id 5 after 0, expected 0 or 1; " + HOLE),
            (b"1 ||| \xff ||| b", f"byte 0xff at column 7, expected {UTF8}"),
        ],
        b"1 ||| b ||| two\n",
    ),
    "tsv": (
        b"id\ttext\tlm\ttm\n0\ta\t1\t2\n",
        [
            (b"1\ta\t1", "3 columns, expected 4, as in the header"),
            (b"1\ta\t1\t2\t3", "5 columns, expected 4, as in the header"),
            (b"", "sentence id '', expected a whole number from 0"),
            (b"one\ta\t1\t2", "sentence id 'one', expected a whole number from 0"),
            (b"1\ta\t\t2", "value '' of feature 'lm', expected a finite number"),
            (b"1\ta\t1\tNaN", "value 'NaN' of feature 'tm', expected a finite number"),
            (b"1\ta\t1\tinfinity", "value 'infinity' of feature 'tm', expected a finite number"),
            (b"1\ta\t1\t 2", "value ' 2' of feature 'tm', expected a finite number"),
            (b"1\t\xed\xa0\x80\t1\t2", f"byte 0xed at column 3, expected {UTF8}"),
        ],
        b"1\tb\t1\t2\n",
    ),
    "tunesmith": (
        b'{"id": 0, "text": "a", "features": {"lm": 1}}\n',
        [
            (b"", "the end of the line at column 1, expected a JSON value; is the line cut off?"),
            (b'{"id": 1, "text": "a"',
             "the end of the line at column 22, expected ',' or '}'; is the line cut off?"),
            (b'{"id": 1, "text": "a}',
             "the end of the line at column 22, expected '\"' at the end of a string; "
             "is the line cut off?"),
            (b'{"id": 1, "text": "a"} x', "'x' at column 24, expected the end of the line"),
            (b"{'id': 1}", "''id': 1}' at column 2, expected a key in quotes"),
            (b'{"id" 1}', "'1}' at column 7, expected ':' after a key"),
            (b'{"id": 01}', "'1}' at column 9, expected ',' or '}'"),
            (b'{"id": .5}', "'.5}' at column 8, expected a JSON value"),
            (b'{"id": 1, "text": "\\x"}',
             "'\\x\"}' at column 20, expected an escape such as \\n or \\u00e4"),
            (b'{"id": 1, "text": "\\ud83d"}',
             "'\"}' at column 26, expected no NUL and no half surrogate pair"),
            (b'{"id": 1, "text": "\\u0000"}',
             "'\"}' at column 26, expected no NUL and no half surrogate pair"),
            (b'{"id": 1, "text": "\\u12"}',
             "'\\u12\"}' at column 20, expected four hexadecimal digits after \\u"),
            (b'{"id": 1, "text": "a\tb"}',
             "'\\x09b\"}' at column 21, expected control characters as \\u00XX"),
            (b'{"id": 1, "text": "a\\nb"}',
             "a line break in the text of a hypothesis, expected text on one line"),
            (b'["a"]', "a list, expected an object with \"id\" and \"text\""),
            (b'{"text": "a"}', "no \"id\", expected the number of the sentence, from 0"),
            (b'{"id": null, "text": "a"}',
             "null as \"id\", expected the number of the sentence, from 0"),
            (b'{"id": 1.5, "text": "a"}', "sentence id '1.5', expected a whole number from 0"),
            (b'{"id": 1}', "no \"text\", expected the text of a hypothesis"),
            (b'{"id": 1, "text": 5}',
             "5 as text of a hypothesis, expected a string or a list of tokens"),
            (b'{"id": 1, "text": "a", "features": [1]}',
             "a list as \"features\", expected an object"),
            (b'{"id": 1, "text": "a", "features": {"lm": "x"}}',
             "value 'x' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": NaN}}',
             "value 'NaN' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": -Infinity}}',
             "value '-Infinity' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1e99}}',
             "value '1e99' of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": null}}',
             "null as value of feature 'lm', expected a finite number"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1, "lm": 2}}',
             "feature 'lm' twice, expected every feature once"),
            (b'{"id": 1, "text": "a", "features": {"lm": 1}, "lm": 2}',
             "feature 'lm' twice, expected every feature once"),
            (b'{"id": 1, "text": "a", "features": {"": 1}}',
             "feature name '', expected a name without control characters"),
            (b'{"id": 1, "text": "a", "features": {"a\\tb": 1}}',
             "feature name 'a\\x09b', expected a name without control characters"),
            (b'{"id": 1, "text": "\xff"}', f"byte 0xff at column 20, expected {UTF8}"),
            (b'{"id": 7, "text": "a"}',
             "sentence id 7 after 0, expected 0 or 1; " + HOLE),
            (b"[" * 70,
             "'[[[[[' at column 66, expected JSON of less depth"),
        ],
        b'{"id": 1, "text": "b", "features": {"lm": 1}}\n',
    ),
    "sockeye": (
        b'{"sentence_id": 1, "translations": ["a"], "scores": [[1]]}\n',
        [
            (b'{"sentence_id": 2, "translations": ["a"], "scores": [[1], [2]]}',
             "2 values of 'scores', expected 1, one per hypothesis"),
            (b'{"sentence_id": 2, "translations": ["a"], "scores": ["x"]}',
             "value 'x' of feature 'score', expected a finite number"),
            (b'{"sentence_id": 2, "translations": ["a"]}',
             "no feature 'score', " + EVERY),
            (b'{"sentence_id": 2, "translations": []}',
             "a list without hypotheses, expected a list of at least one hypothesis under "
             '"translations"'),
            (b'{"sentence_id": 2}',
             'no "translations", expected a list of at least one hypothesis under "translations"'),
            (b'{"sentence_id": 0, "translations": ["a"], "scores": [[1]]}',
             "sentence id '0', expected a whole number from 1"),
            (b'{"sentence_id": 4, "translations": ["a"], "scores": [[1]]}',
             "sentence id 4 after 1, expected 1 or 2; " + HOLE),
        ],
        b'{"sentence_id": "2", "translation": "b", "score": 0.5}\n',
    ),
    "ctranslate2": (
        b'{"hypotheses": [["a"]], "scores": [1]}\n',
        [
            (b'{"hypotheses": [["a", 1]], "scores": [1]}',
             "1 among the tokens of a hypothesis, expected strings"),
            (b'{"hypotheses": [null], "scores": [1]}',
             "null as text of a hypothesis, expected a string or a list of tokens"),
            (b'{"hypotheses": [["a"]], "scores": [1, 2]}',
             "2 values of 'scores', expected 1, one per hypothesis"),
            (b'{"hypotheses": [["a"]], "scores": [null]}',
             "null as value of feature 'score', expected a finite number"),
            (b'{"hypotheses": [["a"]], "scores": [NaN]}',
             "value 'NaN' of feature 'score', expected a finite number"),
            (b'{"hypotheses": [["a"]]}', "no feature 'score', " + EVERY),
            (b'{"hypotheses": "a", "scores": [1]}',
             "'a' without hypotheses, expected a list of at least one hypothesis under "
             '"hypotheses"'),
            (b"[]", 'no "hypotheses", expected a list of at least one hypothesis under '
             '"hypotheses"'),
        ],
        b'{"hypotheses": [["b"]], "scores": [1]}\n',
    ),
    "huggingface": (
        b'[{"generated_text": "a", "score": 1}]\n',
        [
            (b"[]", "an empty list, expected at least one hypothesis"),
            (b'[{"score": 1}]',
             'a hypothesis without text, expected the key "generated_text" or "translation_text"'),
            (b"[1]",
             'a hypothesis without text, expected the key "generated_text" or "translation_text"'),
            (b'[{"translation_text": "a", "score": Infinity}]',
             "value 'Infinity' of feature 'score', expected a finite number"),
            (b'[{"translation_text": "a"}]', "no feature 'score', " + EVERY),
            (b'[{"translation_text": "a", "score": 1, "score": 2}]',
             "feature 'score' twice, expected every feature once"),
            (b'{"sequences": ["a"], "sequences_scores": [1, 2]}',
             "2 values of 'sequences_scores', expected 1, one per hypothesis"),
            (b'{"sequence": ["a"]}',
             'no "sequences", expected a list of at least one hypothesis under "sequences"'),
        ],
        b'{"sequences": ["b"], "sequences_scores": [1]}\n',
    ),
    "fairseq": (
        b"S-1\tx\nT-1\ty\nH-1\t-1\ta\nD-1\t-1\tA\nP-1\t-1 -2\n",
        [
            (b"H-0\t-1", "H- line without text, expected H-number, score, text"),
            (b"H-x\t-1\ta", "sentence id 'x', expected a whole number from 0"),
            (b"H-0\tnan\ta", "value 'nan' of feature 'score', expected a finite number"),
            (b"D-0\t-1\ta", "line D-0 without H-0 before it, expected the lines of a hypothesis "
             "together"),
            (b"P-7\t-1",
             "line P-7 without H-7 before it, expected the lines of a hypothesis together"),
            (b"Q-0\tx",
             "'Q-0\\x09x', expected a line that begins with S-, T-, H-, D- or P- and a number"),
            (b"what is this",
             "'what is this', expected a line that begins with S-, T-, H-, D- or P- and a number"),
            (b"S-0\t\xfc", f"byte 0xfc at column 5, expected {UTF8}"),
        ],
        b"H-0\t-1\tb\nP-0\t-3\n",
    ),
}  # fmt: skip

# Lines with a feature twice: (dialect, line, message). They are refused wherever they stand, the
# first line included, from which the names of features are learned.
TWICE = [
    (dialect, line, message)
    for dialect, (_, lines, _) in TABLES.items()
    for line, message in lines
    if " twice, " in message
] + [
    ("moses", b"0 ||| a ||| TM= 1 2 TM= 3 4 ||| -1",
     "feature 'TM_0' twice, expected every feature once"),
    ("moses", b"0 ||| a ||| TM= 1 2 TM_1= 3 ||| -1",
     "feature 'TM_1' twice, expected every feature once"),
    ("sockeye", b'{"sentence_id": 1, "translation": "a", "score": 1, "score": 2}',
     "feature 'score' twice, expected every feature once"),
    ("sockeye", b'{"sentence_id": 1, "translations": ["a"], "scores": [1], "scores": [2]}',
     "feature 'score' twice, expected every feature once"),
    ("ctranslate2", b'{"hypotheses": [["a"]], "scores": [1], "scores": [2]}',
     "feature 'score' twice, expected every feature once"),
    ("tunesmith", b'{"id": 0, "text": "a", "features": {"lm": 1}, "features": {"lm": 2}}',
     "feature 'lm' twice, expected every feature once"),
    ("tunesmith", b'{"id": 0, "text": "a", "total": 1, "total": 2}',
     "feature 'total' twice, expected every feature once"),
    ("fairseq", b"H-0\t-1\ta\nP-0\t-3\nP-0\t-4",
     "feature 'logprob' twice, expected every feature once"),
]  # fmt: skip

# The same table with other separators.
TABLES["csv"] = (
    TABLES["tsv"][0].replace(b"\t", b","),
    [(line.replace(b"\t", b","), message) for line, message in TABLES["tsv"][1]],
    TABLES["tsv"][2].replace(b"\t", b","),
)
