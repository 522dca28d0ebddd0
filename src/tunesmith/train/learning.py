"""The stage that learns lexical features on the training set, after the dense weights are tuned."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.atomic import atomic_text
from tunesmith.base.log import log
from tunesmith.base.parameters import parameter
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext, Sentences, WordClusters
from tunesmith.engine import EngineLike
from tunesmith.evaluate.training_files import RESULT_FILE
from tunesmith.features import LexicalFeatures, LexicalModel, SideClasses
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.tags import read_tags
from tunesmith.formats.weights import write_weights
from tunesmith.learn import Epoch, LearnResult, Maxforce
from tunesmith.learn.shards import MANIFEST, Shards
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FILE, WEIGHTS_FILE
from tunesmith.tune.loop import TuningLoop


@dataclass(frozen=True)
class LearnOptions:
    """Whether and from what lexical features are learned."""

    learner: str = parameter(
        "none",
        "after tuning, learn lexical features on the training set itself (Yu et al. 2013)",
        choices=("none", "maxforce"),
    )
    clusters: int = parameter(200, "Brown clusters of either side", at_least=2)
    source_clusters: str = parameter("", "clusters of source words, as `tunesmith clusters` writes")
    target_clusters: str = parameter("", "clusters of target words")
    source_tags: str = parameter("", "source text with parts of speech, word/TAG or CoNLL")
    target_tags: str = parameter("", "target text with parts of speech")
    shards: str = parameter(
        "",
        "a folder that `tunesmith shard` has cut from the same work folder: learn from its shards, "
        "with the rules of each sentence, instead of making folds; for hierarchical models",
    )
    epoch_tuning: int = parameter(
        2,
        "times the dev set is decoded to tune the dense weights to what an epoch has learned, "
        "before it is judged; 0: it is judged with the weights as they were",
        at_least=0,
    )
    retune: int = parameter(
        5,
        "times the dev set is decoded to tune the dense weights again, lexical features as one "
        "group; 0: they stay as they were",
        at_least=0,
    )

    def files(self) -> list[str]:
        """The files that it names."""
        named = [self.source_clusters, self.target_clusters, self.source_tags, self.target_tags]
        if self.shards:
            named.append(str(Path(self.shards) / MANIFEST))
        return [name for name in named if name]

    def check_files(self) -> None:
        """Read what it names: whatever is wrong with it is said before the work, not after it."""
        for path in (self.source_clusters, self.target_clusters):
            if path:
                WordClusters.load(path)
        for path in (self.source_tags, self.target_tags):
            if path:
                read_tags(path)
        if self.shards:
            Shards(self.shards)


def side_classes(
    text: Sentences, clusters: str, tags: str, options: LearnOptions, engine: EngineLike
) -> SideClasses:
    """Clusters and parts of speech of the words of one side."""
    if clusters:
        found = WordClusters.load(clusters)
    else:
        found = WordClusters.fit(text, classes=options.clusters, engine=engine)
    known = {word: path for word in found if (path := found.bits(word)) is not None}
    return SideClasses(known, read_tags(tags) if tags else None)


def classes_of(
    bitext: Bitext, options: LearnOptions, engine: EngineLike
) -> tuple[SideClasses, SideClasses]:
    """Of the words of both sides."""
    return (
        side_classes(bitext.source, options.source_clusters, options.source_tags, options, engine),
        side_classes(bitext.target, options.target_clusters, options.target_tags, options, engine),
    )


@dataclass(frozen=True)
class Lesson:
    """What is learned from, and how an epoch is judged."""

    model: TranslationModel
    """With its tuned weights."""
    bitext: Bitext
    links: Sequence[Links]
    """Those of every extracted table."""
    folds: Sequence[TranslationModel]
    dev: tuple[Sequence[str], Sequence[Sequence[str]]]
    tuning: Callable[[TranslationModel], TuningLoop]
    """How a model is tuned on `dev` to judge an epoch."""

    def learn(
        self,
        options: LearnOptions,
        maxforce: Maxforce,
        lexical: LexicalFeatures,
        folder: Path,
        state: Path,
    ) -> None:
        """Learn, and write the lexical model, the weights and the log of the epochs into `folder`.

        `state` keeps the learner's state between kills.
        """

        def judge(learned: LexicalModel, start: Weights) -> tuple[float, Weights]:
            # The weights fit the dev set without what was learned: with them it would seem no use.
            with TemporaryDirectory(dir=folder) as temporary:
                taught = self.model.with_lexical(learned, start, Path(temporary) / "model")
                taught.lexical = learned  # which need not be there twice
                result = self.tuning(taught).run(start, Path(temporary) / "state")
            return result.score, result.weights

        features = lexical.build(*classes_of(self.bitext, options, maxforce.engine))
        log.info("learn: up to %d lexical features a rule", features.features_per_rule)
        result = maxforce.fit(
            self.model,
            features,
            self.bitext,
            self.dev,
            folds=self.folds,
            links=self.links,
            judge=judge if options.epoch_tuning else None,
            folder=state,
            report=report_epoch,
        )
        result.lexical.save(folder / LEXICAL_FILE)
        write_weights(folder / WEIGHTS_FILE, result.weights)
        write_result(folder, result, len(self.dev[1]))


def write_result(folder: Path, result: LearnResult, references: int) -> None:
    """The log of the epochs."""
    with atomic_text(folder / RESULT_FILE) as stream:
        values = {
            "start_score": result.start_score,
            "score": result.dev_score,
            "signature": Bleu(tokenize="none").signature(references),
            "epochs": [asdict(epoch) for epoch in result.epochs],
        }
        json.dump(values, stream, indent=1)


def report_epoch(epoch: Epoch) -> None:
    """A line for people."""
    log.info(
        "learn: epoch %d, dev %.2f, %s updates of %s pairs, %.1f %% invalid, "
        "%.1f %% reached, %s features, %.0f s",
        epoch.number,
        epoch.dev_score,
        f"{epoch.updates:,}",
        f"{epoch.pairs:,}",
        100 * epoch.invalid,
        100 * epoch.reached,
        f"{epoch.features:,}",
        epoch.seconds,
    )
