"""All that can be said about training, as the TOML file and the command line say it."""

from dataclasses import Field, dataclass, field, replace
from typing import Any

from tunesmith.align import Aligner
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import OptionError
from tunesmith.base.languages import UNDETERMINED, language_code
from tunesmith.base.numbers import MAX_THREADS
from tunesmith.base.parameters import check_parameters, parameter, parameters_of
from tunesmith.base.seeds import seed_parameter
from tunesmith.decode import SearchOptions
from tunesmith.engine import EngineLike
from tunesmith.features import FEATURE_SETS, FeatureSet, LexicalFeatures, feature_set, sets_of
from tunesmith.grammar import HieroOptions, PhraseExtraction
from tunesmith.graph.search import MAX_SIZE
from tunesmith.learn import Maxforce
from tunesmith.model.search import check_search_options
from tunesmith.reorder import MaxentReordering
from tunesmith.train.learning import LearnOptions
from tunesmith.train.rule_learning import check_rule_learning
from tunesmith.tune import AnyTuner, tuner_class

# Alignment model of a second phrase table → what it changes in the section align.
SECOND_ALIGNMENTS = {"ibm2": {"ibm2": 5, "hmm": 0}, "hmm": {"ibm2": 0, "hmm": 5}}

# How text may become words.
TOKENIZER_CHOICES = ("auto", "moses", "unigram", "char", "none")

# Words from which on 5-grams pay. Multi30k's 0.4 million are better off with 4 (BLEU of held-out
# halves of val, mean of four splits: 41.9 with 4, 41.6 with 5).
LARGE_TEXT = 1_000_000


# Candidates of a cell: more changed no translation of ours by a noticeable score
# (docs/chart-decoder.md).
CHART_POP_LIMIT = 200
# The same on the dev set, by the kind of the model: weights of charts that were tuned with fewer
# candidates are as good on held-out text (docs/chart-decoder.md).
TUNING_POP_LIMIT = {"phrase": 200, "hiero": 60}


@dataclass(frozen=True)
class TextOptions:
    """What is done to the text, and what is left out of it."""

    tokenizer: str = parameter(
        "auto", "that of both sides, where none is given for one", choices=TOKENIZER_CHOICES
    )
    source_tokenizer: str = parameter(
        "auto",
        "how source text becomes words; auto: as its script needs, by Moses' rules, or for scripts "
        "without spaces unigram: words learned from the text; none: it is tokenised",
        choices=TOKENIZER_CHOICES,
    )
    target_tokenizer: str = parameter("auto", "the same of the target", choices=TOKENIZER_CHOICES)
    casing: str = parameter(
        "auto",
        "what is done to upper case; auto: truecase, or none where the tokeniser is none",
        choices=("auto", "truecase", "lowercase", "none"),
    )
    source_language: str = parameter(
        "",
        "code or name of the source language, or und for an undetermined one (default: recognised "
        "from file names and text)",
    )
    target_language: str = parameter(
        "", "code or name of the target language; equal to the source's only if both are given"
    )
    split_compounds: str = parameter(
        "auto",
        "cut source words that are made of others, as in German; auto: where the language or the "
        "text has many; both: hierarchical models have the whole word too, as a lattice",
        choices=("auto", "yes", "no", "both"),
    )
    protect: bool = parameter(
        True,
        "keep addresses, placeholders, tags and numbers with separators as they are; never of text "
        "that is tokenised",
    )
    known_words: bool = parameter(
        True, "translate unknown source words as known forms of them, or as their known parts"
    )
    max_words: int = parameter(100, "longer sentences are not learned from", at_least=1)
    keep_duplicates: bool = parameter(True, "learn from repeated pairs as often as they come")

    @property
    def protects(self) -> bool:
        """Whether units are protected: only raw text has them whole."""
        return self.protect and "none" not in self.tokenizers

    @property
    def tokenizers(self) -> tuple[str, str]:
        """What is given for source and target, ``auto`` where nothing is."""
        own = (self.source_tokenizer, self.target_tokenizer)
        source, target = (self.tokenizer if one == "auto" else one for one in own)
        return source, target

    @property
    def languages(self) -> tuple[str, str]:
        """The codes of the languages, empty where they are undetermined."""
        given = (self.source_language, self.target_language)
        source, target = (language_code(one) if one else "" for one in given)
        return source.replace(UNDETERMINED, ""), target.replace(UNDETERMINED, "")

    def casing_of(self, tokenizer: str) -> str:
        """What ``auto`` stands for, on a side with this tokeniser."""
        if self.casing != "auto":
            return self.casing
        return "none" if tokenizer == "none" else "truecase"


@dataclass(frozen=True)
class LmOptions:
    """The language model of the target side."""

    order: int = parameter(
        0, "longest n-gram; 0: 4, or 5 from a million words on", at_least=0, at_most=12
    )
    lm2: str = parameter(
        "",
        "a second language model: an ARPA or binary file of the model's own tokens; feature sets "
        "that want two make a class-based one of the target text where none is given",
    )
    lm2_classes: int = parameter(200, "classes of that model", at_least=1, at_most=10_000)
    lm2_order: int = parameter(7, "longest n-gram of that model", at_least=1, at_most=12)
    mono: tuple[str, ...] = parameter(
        (), "files of monolingual text of the target language, for the language model"
    )
    mono_share: float = parameter(
        0.0,
        "share of that text to take, the sentences that are most like the training text; 0: of "
        "1/16, 1/8, 1/4, 1/2 and all the one with which the dev set has the lowest perplexity",
        at_least=0,
        at_most=1,
    )

    def resolved_order(self, words: int) -> int:
        """The order for a text of this many words."""
        return self.order or (5 if words >= LARGE_TEXT else 4)


@dataclass(frozen=True)
class TuneOptions:
    """How the weights are learned from the dev set."""

    tuner: str = parameter("kb-mira", "name of the tuner")
    iterations: int = parameter(15, "times the dev set is decoded", at_least=1)
    size: int = parameter(
        100, "translations of each dev sentence in an iteration", at_least=1, at_most=MAX_SIZE
    )
    patience: int = parameter(
        3, "stop when this many iterations brought nothing better; 0: never", at_least=0
    )
    least_gain: float = parameter(
        0.1, "what counts as better for patience, in points of BLEU", at_least=0
    )
    pop_limit: int = parameter(
        0,
        "pop limit of the search while tuning; 0: 200, of hierarchical models 60",
        at_least=0,
    )
    dev_size: int = parameter(
        0,
        "pairs that are held out to tune on where no dev set is given; 0: 1,000, or a twentieth of "
        "a small text",
        at_least=0,
    )
    options: dict[str, Any] = field(default_factory=dict)
    """Hyper-parameters of the tuner."""

    def make_tuner(self, *, seed: int, engine: EngineLike) -> AnyTuner:
        """The tuner; options that it does not have, or of a wrong type or size, are refused."""
        kind = tuner_class(self.tuner)
        tuner = from_mapping({**kind.loop_settings, **self.options}, kind, "tune.options.")
        check_parameters(tuner)
        return replace(tuner, seed=seed, engine=engine)


def _is_changed(options: object, one: Field[Any]) -> bool:
    return bool(getattr(options, one.name) != one.default)


@dataclass(frozen=True)
class TrainOptions:
    """Everything but the files. Sections of the TOML file are the fields here."""

    text: TextOptions = field(default_factory=TextOptions)
    align: Aligner = field(default_factory=lambda: Aligner(symmetrisation="grow-diag-final-and"))
    lm: LmOptions = field(default_factory=LmOptions)
    phrases: PhraseExtraction = field(default_factory=PhraseExtraction)
    hiero: HieroOptions = field(default_factory=HieroOptions)
    maxent: MaxentReordering = field(default_factory=MaxentReordering)
    search: SearchOptions = field(default_factory=SearchOptions)
    tune: TuneOptions = field(default_factory=TuneOptions)
    learn: LearnOptions = field(default_factory=LearnOptions)
    maxforce: Maxforce = field(default_factory=Maxforce)
    lexical: LexicalFeatures = field(default_factory=LexicalFeatures)
    model: str = parameter(
        "phrase",
        "what translates: phrases, or hiero: rules with gaps that other rules fill",
        choices=("phrase", "hiero"),
    )
    features: str = parameter(
        "standard",
        "the feature set: "
        + "; ".join(f"{one.name}: {one.meaning}" for one in FEATURE_SETS.values()),
        choices=tuple(FEATURE_SETS),
    )
    template: tuple[str, ...] = parameter(
        (), "FILE.py:function, a template of sparse features of your own; may be given again"
    )
    second_table: str = parameter(
        "auto",
        "a second phrase table, from the links of this alignment model; or forced: the rules of "
        "the first that forced decoding uses (Wuebker et al. 2010); auto: the other alignment "
        "model than the first table's, where the feature set wants two",
        choices=("auto", "none", "forced", *SECOND_ALIGNMENTS),
    )
    reordering_model: str = parameter(
        "lexicalized",
        "what says where phrases go: counts of phrase pairs; maxent: their words and those beside "
        "them (Alrajeh & Niranjan 2014); both, or none",
        choices=("lexicalized", "maxent", "both", "none"),
    )
    filter: bool = parameter(
        False, "learn no translations from pairs that match no better than random ones"
    )
    seed: int = seed_parameter()
    threads: int = parameter(0, "threads; 0: all cores", at_least=0, at_most=MAX_THREADS)

    def check(self) -> None:
        """Refuse values that make no sense, before any work is done."""
        sections = (
            self.text,
            self.align,
            self.lm,
            self.phrases,
            self.hiero,
            self.maxent,
            self.search,
            self.tune,
        )
        for part in (self, *sections):
            check_parameters(part)
        others = [one for one in parameters_of(SearchOptions) if _is_changed(self.search, one)]
        check_search_options(self.model, [one.name for one in others], "this is")
        if self.text.split_compounds == "both" and (self.model != "hiero" or self.learns):
            raise OptionError(
                "split_compounds is 'both', expected auto, yes or no: only model 'hiero' without a "
                "learner takes lattices"
            )
        if self.model == "hiero":
            self._check_hiero()
        elif self.learns and self.lexical.source_bigrams:
            raise OptionError(
                "lexical features with source_bigrams, expected --model hiero: WordEdges see the "
                "source words of phrases"
            )
        for learned in (self.learn, self.lexical):
            check_parameters(learned)
        if self.learn.shards and not (self.learns and self.model == "hiero"):
            raise OptionError(
                "shards of `tunesmith shard`, expected --model hiero with a learner: their rules "
                "are hierarchical"
            )
        _ = self.text.languages
        self.maxforce.check()
        self.lexical.level_names()
        if self.has_folds and (self.sparse or self.second_table == "forced"):
            raise OptionError(
                "learner maxforce makes models of parts of the text, which it cannot with sparse "
                "features or a forced second table; expected --maxforce-folds 0 or other features"
            )
        if self.model not in self.feature_set.kinds:
            raise OptionError(
                f"model '{self.model}' with the features '{self.features}', expected one of: "
                f"{', '.join(sets_of(self.model))}"
            )
        if self.second_table == "none" and self.model == "phrase" and self.feature_set.tables > 1:
            raise OptionError(
                f"second_table is 'none', expected an alignment model: feature set "
                f"'{self.features}' has {self.feature_set.tables} tables"
            )

    def _check_hiero(self) -> None:
        if self.second_table not in ("auto", "none"):
            raise OptionError("model 'hiero' with a second table, expected none")
        if self.reordering_model != TrainOptions.reordering_model:
            raise OptionError("model 'hiero' with a reordering model, expected none of its own")
        if self.learns:
            check_rule_learning(self.maxforce, self.lexical, has_shards=bool(self.learn.shards))

    @property
    def model_search(self) -> SearchOptions:
        """The search of the model.

        A chart needs fewer candidates in a cell than a stack, and spans what its rules can.
        """
        if self.model != "hiero":
            return self.search
        search, usual = self.search, SearchOptions()
        if search.pop_limit == usual.pop_limit:
            search = replace(search, pop_limit=CHART_POP_LIMIT)
        if search.span_limit == usual.span_limit:
            search = replace(search, span_limit=self.hiero.max_input_span)
        return search

    @property
    def tuning_search(self) -> SearchOptions:
        """The search on the dev set: that of the model but for its pop limit."""
        return replace(self.model_search, pop_limit=self.tuning.pop_limit)

    @property
    def tuning(self) -> TuneOptions:
        """The section tune, with what the kind of the model decides where nothing is given."""
        return replace(self.tune, pop_limit=self.tune.pop_limit or TUNING_POP_LIMIT[self.model])

    @property
    def learns(self) -> bool:
        """Whether lexical features are learned."""
        return self.learn.learner != "none"

    @property
    def has_folds(self) -> bool:
        """Whether models of parts of the text are made for the learner."""
        return self.learns and self.maxforce.folds > 0 and not self.learn.shards

    @property
    def feature_set(self) -> FeatureSet:
        """What `features` names."""
        return feature_set(self.features)

    @property
    def has_maxent(self) -> bool:
        """Whether there is a maximum-entropy reordering model."""
        wanted = self.reordering_model in ("maxent", "both")
        return wanted and self.feature_set.reordering and self.model == "phrase"

    @property
    def has_lexicalized(self) -> bool:
        """Whether the scores of the lexicalised reordering model are features."""
        return self.reordering_model in ("lexicalized", "both") and self.feature_set.reordering

    @property
    def second_alignment(self) -> str:
        """The alignment model of the second table; empty if there is none."""
        if self.second_table == "auto":
            wanted = self.feature_set.tables > 1 and self.model == "phrase"
            return ("ibm2" if self.align.hmm else "hmm") if wanted else ""
        return self.second_table if self.second_table in SECOND_ALIGNMENTS else ""

    @property
    def second_lm(self) -> bool:
        """Whether there are two language models."""
        return bool(self.lm.lm2) or self.feature_set.language_models > 1

    @property
    def sparse(self) -> bool:
        """Whether there are sparse features."""
        return self.feature_set.is_sparse(self.model) or bool(self.template)
