"""`Training`: from texts to a model directory, through the stages that `stages/` lists."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import locked
from tunesmith.base.log import log
from tunesmith.base.rundir import run_record, write_record
from tunesmith.corpus.identification import (
    file_languages,
    recognise_languages,
    release_identifier,
)
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.evaluate.training_files import (
    RESULT_FILE,
    ScoredText,
    write_scored_texts,
    write_stage_names,
)
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model
from tunesmith.model.files import WEIGHTS_FILE, check_replaceable
from tunesmith.train.assembly import assemble
from tunesmith.train.checks import (
    SampledText,
    check_mono,
    check_seen,
    check_texts,
    line_set,
    put_together,
    training_sample,
)
from tunesmith.train.corpora import Corpora, PathOrPaths
from tunesmith.train.keywords import keywords
from tunesmith.train.options import TrainOptions
from tunesmith.train.scoring import TextScore, gap_to_tokens, score_text
from tunesmith.train.stage import Stage
from tunesmith.train.stages import STAGES
from tunesmith.train.stages.tune import Tune
from tunesmith.train.workplace import TrainFiles, Workplace, second_aligner
from tunesmith.tune.sources import check_features


@dataclass(frozen=True)
class TrainReport:
    """What came out."""

    model: TranslationModel
    tuned_score: float
    """Of the dev set in the model's own tokens, as tuning sees it."""
    tuned_signature: str
    dev: TextScore
    """Of the dev set as a reader sees it."""
    dev_gap: str
    """Why the two differ, if they do by much."""
    test: TextScore | None
    seconds: float


@dataclass
class Training:
    """One training run: files, options, and a work folder in which every stage is kept.

    A stage runs again only when its inputs, its options or a stage before it changed; a killed
    run goes on where it was.
    """

    source: PathOrPaths
    """One file, or one of each corpus."""
    target: PathOrPaths | None
    """As many; None: the files of the source have both sides."""
    dev_source: Path | None
    """None: a part of the text is held out to tune on."""
    dev_references: Sequence[Path]
    out: Path
    test_source: Path | None = None
    test_references: Sequence[Path] = ()
    options: TrainOptions = field(default_factory=TrainOptions)
    work_folder: Path | None = None
    from_stage: str | None = None
    engine: EngineLike | None = None
    """Who works; as many threads as the options say if it is not given."""

    def __post_init__(self) -> None:
        self.options.check()
        if self.from_stage is not None and self.from_stage not in self.stage_names:
            names = ", ".join(self.stage_names)
            raise OptionError(f"stage '{self.from_stage}', expected one of: {names}")
        source, target = self.options.text.languages
        corpora = Corpora.of(self.source, self.target)
        self.corpora = replace(corpora, languages=(source or None, target or None))
        self._has_languages = False
        self.work = self.work_folder or self.out.with_name(self.out.name + ".work")
        if self.dev_source and not self.dev_references:
            raise OptionError("no references for the dev set")
        if self.dev_references and not self.dev_source:
            raise OptionError("no source for the references of the dev set")
        if bool(self.test_source) != bool(self.test_references):
            raise OptionError("a test set needs both its source and its references")
        check_replaceable(self.out)
        if self.work.resolve().is_relative_to(self.out.resolve()):
            raise OptionError(
                f"the work folder {self.work} is in the model {self.out}, which is replaced as a "
                "whole; expected another place"
            )
        # Whatever is wrong with these is said before the work, not after it.
        if self.options.second_alignment:
            second_aligner(self.options)
        _ = self.place.user_templates
        if self.options.lm.lm2:
            NgramLM.load(self.options.lm.lm2)
        check_features(self.place.tuner(), sparse=self.options.sparse)
        if self.options.learns:
            self.options.learn.check_files()

    @property
    def stage_names(self) -> tuple[str, ...]:
        """The stages of this run; those of parts that the feature set does not have are none."""
        return tuple(stage.name for stage in STAGES if stage.is_part_of(self.options))

    @cached_property
    def place(self) -> Workplace:
        """What its stages share."""
        files = TrainFiles(self.corpora, self.dev_source, self.dev_references)
        engine = as_engine(self.options.threads if self.engine is None else self.engine)
        return Workplace(files, self.options, self.work, engine, self.stage_names)

    @cached_property
    def stages(self) -> dict[str, Stage]:
        """The stages by name, in their order: each knows the keys of those before it."""
        self._recognise_languages()
        for kind in STAGES:
            if kind.is_part_of(self.options):
                self.place.stages[kind.name] = kind(self.place).stage()
        return self.place.stages

    def run(self) -> TrainReport:
        """Do what is not done yet and write the model."""
        begin = monotonic()
        self._check_texts()  # whatever is wrong with them is said before the work, not after it
        stages = self.stages  # all inputs are read here once: nothing is left if one is missing
        with locked(self.work):
            return self._run(stages, begin)

    def _run(self, stages: dict[str, Stage], begin: float) -> TrainReport:
        place, again = self.place, False
        write_stage_names(self.work, self.stage_names)
        for name, stage in stages.items():
            again = again or name == self.from_stage
            if again:
                shutil.rmtree(place.state_folder(name), ignore_errors=True)
            stage.run(self.work, again=again)
        last = self._final_stage()
        with new_model(self.out) as folder:
            weights = read_weights(place.path(last, WEIGHTS_FILE))
            assemble(place, folder, weights, lexical=last != Tune.name)
            inputs = [*place.files.paths(), *map(Path, self.options.lm.mono)]
            write_record(folder, run_record("train", self._record(), inputs))
        model = TranslationModel.load(self.out)
        tuned = self._result(last)
        dev = self._score(model, "dev", *place.dev_set(raw=True), search=self.options.tuning_search)
        test = self._test_score(model)
        scored = [dev, *([test] if test else [])]
        write_scored_texts(self.work, [text for _, text in scored])
        return TrainReport(
            model,
            tuned["score"],
            tuned["signature"],
            dev[0],
            gap_to_tokens(
                tuned["score"], dev[0], dev[1].output, dev[1].references, model.preprocessors[1]
            ),
            test[0] if test else None,
            monotonic() - begin,
        )

    def _final_stage(self) -> str:
        """The stage whose weights the model has: the last one, if learning has not made it worse.

        A learner that keeps its own dense weights is one that somebody wants to look at.
        """
        last = self.stage_names[-1]
        if last == Tune.name or self.options.maxforce.dense_weights != "tuned":
            return last
        before, after = self._result(Tune.name)["score"], self._result(last)["score"]
        if after >= before:
            return last
        log.warning(
            "with what was learned the dev set has %.2f, without it %.2f: it is left out",
            after,
            before,
        )
        return Tune.name

    def _result(self, stage: str) -> dict[str, Any]:
        """How a stage of tuning or learning ended."""
        found: dict[str, Any]
        found = json.loads(self.place.path(stage, RESULT_FILE).read_text(encoding="utf-8"))
        return found

    def _record(self) -> dict[str, Any]:
        """All options that can change a result, as plain values."""
        values = {item.name: getattr(self.options, item.name) for item in fields(self.options)}
        plain = {name: keywords(one) if is_dataclass(one) else one for name, one in values.items()}
        del plain["threads"]
        return {**plain, "tune": asdict(self.options.tuning)}

    @cached_property
    def _samples(self) -> list[SampledText]:
        """The first pairs of every corpus."""
        languages = self.corpora.languages
        return [training_sample(*files, languages) for files in self.corpora.pairs_of_files()]

    def _recognise_languages(self) -> None:
        """Complete the options by the languages of the training text, once."""
        if self._has_languages:
            return
        text = self.options.text
        named = file_languages(self.corpora.pairs_of_files())
        sample = put_together(self._samples)
        given = text.source_language, text.target_language
        source, target = recognise_languages((sample.source, sample.target), named, given)
        release_identifier()
        text = replace(text, source_language=source, target_language=target)
        self.options = replace(self.options, text=text)
        self.place = replace(self.place, options=self.options)
        self._has_languages = True
        del self._samples

    def _check_texts(self) -> None:
        """Refuse or warn of texts that do not fit each other."""
        engine, train = self.place.engine, self._samples
        others: list[SampledText] = []
        if self.dev_source is not None:
            others.append(line_set("dev", self.dev_source, self.dev_references[0]))
        if self.test_source is not None:
            self._test_set()
            others.append(line_set("test", self.test_source, self.test_references[0]))
        check_texts(train, others)
        if self.test_source is not None:
            check_seen(self.corpora.read(), others[-1], engine=engine)
        for path in self.options.lm.mono:
            check_mono(train, Path(path))

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

    def _test_score(self, model: TranslationModel) -> tuple[TextScore, ScoredText] | None:
        """That of the test set, if there is one."""
        lines, references = self._test_set()
        return self._score(model, "test", lines, references) if references else None

    def _score(
        self,
        model: TranslationModel,
        name: str,
        lines: list[str],
        references: list[list[str]],
        search: SearchOptions | None = None,
    ) -> tuple[TextScore, ScoredText]:
        """BLEU as a user sees it: on running text, unless it came tokenised. And of what.

        The dev set is translated by the search that it was tuned with.
        """
        output = translate_lines(model, lines, search=search, engine=self.place.engine)
        score = score_text(
            output,
            references,
            language=self.options.text.languages[1],
            tokenised=model.preprocessors[1].tokenizer.name == "none",
            seed=self.options.seed,
            engine=self.place.engine,
        )
        return score, ScoredText(name, score.tokenize, lines, references, output)


def translate_lines(
    model: TranslationModel,
    lines: list[str],
    *,
    search: SearchOptions | None = None,
    engine: EngineLike = ALL_CORES,
) -> list[str]:
    """Raw lines in, raw lines out: the model's own preprocessing on both sides."""
    return Translator(open_decoder(model, search=search, engine=engine)).translate(lines)
