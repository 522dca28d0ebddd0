"""`Training`: corpus → align → lm → phrases → tune → learn, and the model directory at the end."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import Any

from tunesmith.align import Aligner
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import locked
from tunesmith.base.log import log
from tunesmith.base.rundir import file_hash, run_record, write_record
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext, Sentences
from tunesmith.decode import ForcedOptions, open_decoder
from tunesmith.engine import default_threads
from tunesmith.features import RuleTemplate, UserTemplate, WordPair, build_features, load_template
from tunesmith.formats.pharaoh import Links, read_links, write_links
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.extraction import reordering_names
from tunesmith.learn import fold_models, reestimate
from tunesmith.lm import NgramLM
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.description import JOIN_FLOOR
from tunesmith.model.folder import LEXICAL_FILE, WEIGHTS_FILE, check_replaceable, link_or_copy
from tunesmith.train.keywords import changed, keywords, relevant, replace_parameters
from tunesmith.train.language_models import first_estimation, second_estimation, write_clusters
from tunesmith.train.learning import learn
from tunesmith.train.options import SECOND_ALIGNMENTS, TrainOptions
from tunesmith.train.stage import Stage
from tunesmith.train.text import prepare_text
from tunesmith.tune import AnyTuner
from tunesmith.tune.loop import Iteration, TuningLoop
from tunesmith.tune.sources import DecoderSource, check_features

STAGES = (
    "corpus", "align", "align2", "lm", "lm2", "phrases", "phrases2", "features", "tune", "folds",
    "learn", "retune",
)  # fmt: skip
SECTIONS = ("text", "align", "lm", "phrases", "search", "tune", "learn", "maxforce", "lexical")


@dataclass(frozen=True)
class TrainReport:
    """What came out."""

    model: TranslationModel
    dev_score: float
    dev_signature: str
    test_score: float | None
    test_signature: str
    seconds: float


@dataclass
class Training:
    """One training run: files, options, and a work folder in which every stage is kept.

    A stage runs again only when its inputs, its options or a stage before it changed; a killed
    run goes on where it was.
    """

    source: Path
    target: Path | None
    dev_source: Path
    dev_references: Sequence[Path]
    out: Path
    test_source: Path | None = None
    test_references: Sequence[Path] = ()
    options: TrainOptions = field(default_factory=TrainOptions)
    work_folder: Path | None = None
    from_stage: str | None = None

    def __post_init__(self) -> None:
        self.options.check()
        if self.from_stage is not None and self.from_stage not in self.stage_names:
            names = ", ".join(self.stage_names)
            raise OptionError(f"stage '{self.from_stage}', expected one of: {names}")
        self.work = self.work_folder or self.out.with_name(self.out.name + ".work")
        self.threads = self.options.threads or default_threads()
        if not self.dev_references:
            raise OptionError("no references for the dev set")
        if bool(self.test_source) != bool(self.test_references):
            raise OptionError("a test set needs both its source and its references")
        check_replaceable(self.out)
        if self.work.resolve().is_relative_to(self.out.resolve()):
            raise OptionError(
                f"the work folder {self.work} is in the model {self.out}, which is replaced as a "
                "whole; expected another place"
            )
        self._aligners()
        # Whatever is wrong with them is said before the work, not after it.
        self._user_templates = [load_template(place) for place in self.options.template]
        if self.options.lm.lm2:
            NgramLM.load(self.options.lm.lm2)
        check_features(self._tuner(), sparse=self.options.sparse)
        if self.options.learns:
            self.options.learn.check_files()

    @property
    def stage_names(self) -> tuple[str, ...]:
        """The stages of this run; those of parts that the feature set does not have are none."""
        options = self.options
        there = {
            "align2": bool(options.second_alignment),
            "phrases2": bool(options.second_alignment) or options.second_table == "forced",
            "lm2": options.second_lm,
            "features": options.sparse,
            "folds": options.learns and options.maxforce.folds > 0,
            "learn": options.learns,
            "retune": options.learns and options.learn.retune > 0,
        }
        return tuple(name for name in STAGES if there.get(name, True))

    @cached_property
    def stages(self) -> dict[str, Stage]:
        """The stages by name, in their order."""
        options = self.options
        files = [self.source, self.target, self.dev_source, *self.dev_references]
        hashes = [file_hash(path) for path in files if path is not None]
        corpus = Stage("corpus", [asdict(options.text), hashes], self._corpus)
        lm = Stage("lm", [corpus.key, options.lm.order], self._lm)
        stages = {"corpus": corpus, "lm": lm}
        models = [lm.key]
        if options.second_lm:
            second = asdict(options.lm)
            del second["order"]
            if options.lm.lm2:
                second["lm2"] = file_hash(options.lm.lm2)
            stages["lm2"] = Stage("lm2", [corpus.key, second], self._second_lm)
            models.append(stages["lm2"].key)
        tables = []
        for suffix, aligner in self._aligners().items():
            align = Stage(
                f"align{suffix}", [corpus.key, relevant(aligner)], partial(self._align, aligner)
            )
            phrases = Stage(
                f"phrases{suffix}",
                [align.key, relevant(options.phrases)],
                partial(self._phrases, align.name),
            )
            stages |= {align.name: align, phrases.name: phrases}
            tables.append(phrases.key)
        if options.second_table == "forced":
            limit = options.search.distortion_limit
            stages["phrases2"] = Stage("phrases2", [*tables, lm.key, limit], self._forced_phrases)
            tables.append(stages["phrases2"].key)
        if options.sparse:
            inputs = [
                [one.describe() for one in options.feature_set.templates],
                [[one.describe(), file_hash(one.path)] for one in self._user_templates],
            ]
            stages["features"] = Stage("features", [*tables, inputs], self._features)
            tables.append(stages["features"].key)
        if len(self._tables()) > 1:
            tables.append(f"join_floor {JOIN_FLOOR}")
        parts = [*tables, *models, list(self._unused()), asdict(options.tune)]
        stages["tune"] = Stage("tune", [*parts, asdict(options.search), options.seed], self._tune)
        if options.learns:
            how = {name: relevant(getattr(options, name)) for name in SECTIONS[-3:]}
            retune = how["learn"].pop("retune")
            given = [file_hash(path) for path in options.learn.files()]
            whole = [*tables, *models, list(self._unused())]
            stages["folds"] = Stage("folds", [whole, options.maxforce.folds], self._folds)
            stages["learn"] = Stage("learn", [stages["tune"].key, how, given], self._learn)
            stages["retune"] = Stage("retune", [stages["learn"].key, retune], self._retune)
        return {name: stages[name] for name in self.stage_names}

    def _aligners(self) -> dict[str, Aligner]:
        """The aligner of every table, by what is added to the names of its stages."""
        first, other = self.options.align, self.options.second_alignment
        if not other:
            return {"": first}
        second = replace_parameters(first, **SECOND_ALIGNMENTS[other])
        if relevant(second) == relevant(first):
            raise OptionError(f"second_table is '{other}', the model of the first table")
        return {"": first, "2": second}

    def run(self) -> TrainReport:
        """Do what is not done yet and write the model."""
        begin = monotonic()
        self._test_set()  # whatever is wrong with it is said before the work, not after it
        stages = self.stages  # all inputs are read here once: nothing is left if one is missing
        with locked(self.work):
            return self._run(stages, begin)

    def _run(self, stages: dict[str, Stage], begin: float) -> TrainReport:
        again = False
        for name, stage in stages.items():
            again = again or name == self.from_stage
            if again:
                shutil.rmtree(self._state_folder(name), ignore_errors=True)
            stage.run(self.work, again=again)
        last = self.stage_names[-1]
        with new_model(self.out) as folder:
            self._assemble(folder, read_weights(self._in(last, WEIGHTS_FILE)), self.options.learns)
            files = [self.source, self.target, self.dev_source, *self.dev_references]
            record = run_record(
                "train", self._record(), [path for path in files if path is not None]
            )
            write_record(folder, record)
        model = TranslationModel.load(self.out)
        tuned = json.loads(self._in(last, "result.json").read_text(encoding="utf-8"))
        test_score, signature = self._test(model) if self.test_source else (None, "")
        return TrainReport(
            model,
            tuned["score"],
            tuned["signature"],
            test_score,
            signature,
            monotonic() - begin,
        )

    def _record(self) -> dict[str, Any]:
        """All options as plain values."""
        sections = {name: getattr(self.options, name) for name in SECTIONS}
        return {
            **{name: keywords(part) for name, part in sections.items()},
            "tune": asdict(self.options.tune),
            "features": self.options.features,
            "template": list(self.options.template),
            "second_table": self.options.second_table,
            "seed": self.options.seed,
        }

    def _in(self, stage: str, name: str) -> Path:
        return self.stages[stage].folder(self.work) / name

    def _corpus(self, folder: Path) -> None:
        prepare_text(
            folder,
            (self.source, self.target),
            (self.dev_source, self.dev_references),
            self.options.text,
            threads=self.threads,
        )

    def _bitext(self) -> Bitext:
        return Bitext.load(self._in("corpus", "bitext.bin"))

    def _align(self, aligner: Aligner, folder: Path) -> None:
        aligner = replace_parameters(aligner, threads=self.threads)
        bitext = self._bitext()
        write_links(folder / "links.gz", aligner.fit(bitext).align(bitext))

    def _lm(self, folder: Path) -> None:
        text = self._bitext().target
        first_estimation(text, self.options.lm, self.threads)(text).save(folder / "lm.bin")

    def _second_lm(self, folder: Path) -> None:
        text, options = self._bitext().target, self.options.lm
        if not options.lm2:
            write_clusters(text, options, folder, self.threads)
        second_estimation(folder, options, self.threads)(text).save(folder / "lm.bin")

    def _features(self, folder: Path) -> None:
        names = self._tables()
        tables = [PhraseTable(self._in(name, "phrases.bin")) for name in names]
        templates: list[RuleTemplate | UserTemplate] = []
        bitext = self._bitext()
        for one in self.options.feature_set.templates:
            if isinstance(one, WordPair):
                # The text knows best which words are frequent.
                one = replace(
                    one,
                    source_words=_frequent(bitext.source, one.size),
                    target_words=_frequent(bitext.target, one.size),
                )
            templates.append(one)
        templates += self._user_templates
        build_features(tables, templates, folder / "features.bin", threads=self.threads)

    def _tables(self) -> list[str]:
        """The stages that make phrase tables."""
        return [name for name in self.stage_names if name.startswith("phrases")]

    def _unused(self) -> tuple[str, ...]:
        """Dense features that the feature set does not have."""
        phrases, wanted = self.options.phrases, self.options.feature_set
        scores = reordering_names(phrases.reordering, phrases.classes)
        off = () if wanted.reordering else tuple(f"reorder.{score}" for score in scores)
        return (*off, *wanted.unused)

    def _tuner(self) -> AnyTuner:
        return self.options.tune.make_tuner(seed=self.options.seed, threads=self.threads)

    def _phrases(self, align: str, folder: Path) -> None:
        extraction = replace(self.options.phrases, threads=self.threads)
        extraction.run(
            self._bitext(), read_links(self._in(align, "links.gz")), folder / "phrases.bin"
        )

    def _links(self) -> list[Links]:
        """The links of every table that was extracted."""
        return [read_links(self._in(f"align{suffix}", "links.gz")) for suffix in self._aligners()]

    def _forced_phrases(self, folder: Path) -> None:
        with new_model(folder / "first") as first:
            for stage, name in (("phrases", "phrases.bin"), ("lm", "lm.bin")):
                link_or_copy(self._in(stage, name), first / name)
            write_description(first, tables=["phrases.bin"], language_models=["lm.bin"])
            write_weights(first / WEIGHTS_FILE, TranslationModel.load(first).initial_weights())
        bitext = self._bitext()
        reestimate(
            TranslationModel.load(folder / "first"),
            list(bitext.source.lines()),
            list(bitext.target.lines()),
            folder / "phrases.bin",
            links=self._links(),
            options=ForcedOptions(distortion_limit=self.options.search.distortion_limit),
            threads=self.threads,
        )
        shutil.rmtree(folder / "first")

    def _state_folder(self, stage: str) -> Path:
        # Loops keep their own state beside the stage, so that a kill costs one iteration.
        return self.work / f"{stage}.{self.stages[stage].key[:8]}"

    def _dev_set(self) -> tuple[list[str], list[list[str]]]:
        references = [
            read_lines(self._in("corpus", f"dev.reference{number}"))
            for number in range(len(self.dev_references))
        ]
        return read_lines(self._in("corpus", "dev.source")), references

    def _tune(self, folder: Path) -> None:
        with new_model(folder / "untuned") as untuned:
            self._assemble(untuned, None)
        self._tuned("tune", folder, self.options.tune.iterations)

    def _folds(self, folder: Path) -> None:
        """Models like this one that have not seen a part of the pairs, for the learner."""
        bitext, state = self._bitext(), self._state_folder("folds")
        estimates = [first_estimation(bitext.target, self.options.lm, self.threads)]
        if self.options.second_lm:
            second = self.stages["lm2"].folder(self.work)
            estimates.append(second_estimation(second, self.options.lm, self.threads))
        with new_model(folder / "whole") as whole:
            self._assemble(whole, None)
        fold_models(
            TranslationModel.load(folder / "whole"),
            bitext,
            self._links(),
            estimates,
            state,
            folds=self.options.maxforce.folds,
            extraction=self.options.phrases,
            threads=self.threads,
        )
        shutil.rmtree(folder / "whole")
        for made in state.glob("fold-*"):
            made.rename(folder / made.name)
        shutil.rmtree(state)

    def _learn(self, folder: Path) -> None:
        with new_model(folder / "untuned") as untuned:
            self._assemble(untuned, read_weights(self._in("tune", WEIGHTS_FILE)))
        options, state = self.options, self._state_folder("learn")
        learn(
            folder,
            state,
            TranslationModel.load(folder / "untuned"),
            self._bitext(),
            [
                TranslationModel.load(self._in("folds", f"fold-{number}"))
                for number in range(options.maxforce.folds)
            ],
            self._links(),
            self._dev_set(),
            options.learn,
            replace(options.maxforce, seed=options.seed, threads=self.threads),
            options.lexical,
            partial(self._tuning, iterations=options.learn.epoch_tuning),
            self.threads,
        )
        shutil.rmtree(folder / "untuned")
        shutil.rmtree(state, ignore_errors=True)

    def _retune(self, folder: Path) -> None:
        with new_model(folder / "untuned") as untuned:
            self._assemble(untuned, read_weights(self._in("learn", WEIGHTS_FILE)), lexical=True)
        self._tuned("retune", folder, self.options.learn.retune)

    def _tuned(self, stage: str, folder: Path, iterations: int) -> None:
        """Tune the model in the folder `untuned`, from its weights."""
        state = self._state_folder(stage)
        model = TranslationModel.load(folder / "untuned")
        loop = self._tuning(model, iterations)
        result = loop.run(model.weights, state, report=_report)
        shutil.rmtree(folder / "untuned")
        write_weights(folder / WEIGHTS_FILE, result.weights)
        with atomic_text(folder / "result.json") as stream:
            json.dump(
                {
                    "score": result.score,
                    "signature": loop.metric.signature(len(loop.references)),
                    "iterations": [asdict(turn) for turn in result.iterations],
                },
                stream,
                indent=1,
            )
        shutil.rmtree(state, ignore_errors=True)

    def _tuning(self, model: TranslationModel, iterations: int) -> TuningLoop:
        """How a model is tuned on the dev set."""
        options = self.options.tune
        dev, references = self._dev_set()
        decoder = open_decoder(
            model,
            search=replace(self.options.search, pop_limit=options.pop_limit),
            threads=self.threads,
        )
        return TuningLoop(
            DecoderSource(decoder, dev),
            self._tuner(),
            Bleu(tokenize="none"),
            references,
            iterations=iterations,
            size=options.size,
            patience=options.patience,
        )

    def _assemble(self, folder: Path, weights: Weights | None, lexical: bool = False) -> None:
        """Put the stages' outputs together as a model; without weights, with the initial ones."""
        tables = self._tables()
        models = [name for name in self.stage_names if name.startswith("lm")]
        for stage, name, new in (
            *((table, "phrases.bin", f"{table}.bin") for table in tables),
            *((model, "lm.bin", f"{model}.bin") for model in models),
            *([("features", "features.bin", "features.bin")] if self.options.sparse else []),
            *([("learn", LEXICAL_FILE, LEXICAL_FILE)] if lexical else []),
            ("corpus", "source.json", "source.json"),
            ("corpus", "target.json", "target.json"),
        ):
            link_or_copy(self._in(stage, name), folder / new)
        write_description(
            folder,
            tables=[f"{table}.bin" for table in tables],
            language_models=[f"{model}.bin" for model in models],
            search=changed(self.options.search),
            source="source.json",
            target="target.json",
            features="features.bin" if self.options.sparse else "",
            unused=self._unused(),
            lexical=LEXICAL_FILE if lexical else "",
            join_floor=JOIN_FLOOR if len(tables) > 1 else None,
        )
        if weights is None:
            weights = TranslationModel.load(folder).initial_weights()
        write_weights(folder / WEIGHTS_FILE, weights)

    def _test_set(self) -> tuple[list[str], list[list[str]]]:
        """Source lines and references of the test set; empty if there is none."""
        lines = read_lines(self.test_source) if self.test_source else []
        references = [read_lines(path) for path in self.test_references]
        for path, reference in zip(self.test_references, references, strict=True):
            if len(reference) != len(lines):
                raise InputError(
                    path,
                    0,
                    f"{len(reference):,} lines",
                    f"{len(lines):,} as in {self.test_source}",
                    "test source and references must be parallel",
                )
        return lines, references

    def _test(self, model: TranslationModel) -> tuple[float, str]:
        """BLEU of the test set as a user sees it: on running text, unless it came tokenised."""
        lines, references = self._test_set()
        translated = translate_lines(model, lines, threads=self.threads)
        metric = Bleu(tokenize="none" if self.options.text.tokenizer == "none" else "13a")
        return metric.corpus_score(translated, references), metric.signature(len(references))


def translate_lines(
    model: TranslationModel, lines: list[str], *, threads: int | None = None
) -> list[str]:
    """Raw lines in, raw lines out: the model's own preprocessing on both sides."""
    source, target = model.preprocessors
    output = open_decoder(model, threads=threads).decode(source.encode(lines))
    return target.decode(output.best())


def _frequent(text: Sentences, size: int) -> tuple[str, ...]:
    """The most frequent words of a text; equals by their bytes."""
    counts = dict(zip(text.vocabulary, text.counts().tolist(), strict=True))
    ranked = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    return tuple(ranked[:size])


def _report(number: int, iteration: Iteration) -> None:
    log.info(
        "tune: iteration %d, dev %.2f, %s %s",
        number,
        iteration.score,
        f"{iteration.hypotheses:,}",
        iteration.unit,
    )
