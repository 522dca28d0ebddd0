"""Sparse features of hierarchical rules, learned on the training set after the first tuning."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Decoder, SearchOptions, open_decoder
from tunesmith.decode.grouped import GroupedDecoder
from tunesmith.features import (
    GrammarTemplates,
    LexicalFeatures,
    LexicalModel,
    RuleEdges,
    RuleId,
    RuleShape,
    SourceNgrams,
)
from tunesmith.features.scfg_templates import GrammarTemplate
from tunesmith.formats.weights import write_weights
from tunesmith.learn import LearnResult, Maxforce
from tunesmith.learn.learner import Learned
from tunesmith.learn.list_learner import check_list_options
from tunesmith.learn.shards import Shards
from tunesmith.model import TranslationModel
from tunesmith.model.files import TEMPLATES_FILE, WEIGHTS_FILE
from tunesmith.train.learning import report_epoch, write_result
from tunesmith.tune.loop import TuningLoop


def check_rule_learning(
    maxforce: Maxforce, lexical: LexicalFeatures, *, has_shards: bool = False
) -> None:
    """Refuse what a hierarchical model cannot learn, or not so."""
    check_list_options(maxforce)
    if not maxforce.folds and not has_shards:
        raise OptionError(
            "model 'hiero' with folds 0, expected at least 2, or shards: rules that a pair has "
            "taught are left out by these alone"
        )
    if lexical.rule_pairs or lexical.history or lexical.bits or lexical.min_count > 1:
        raise OptionError(
            "model 'hiero' with rule_pairs, history, bits or min_count of lexical features: these "
            "are for phrase models alone"
        )
    if not (lexical.rule_ids or lexical.source_bigrams or lexical.shapes or lexical.edges):
        raise OptionError(
            "lexical features without rule_ids, source_bigrams, shapes and edges: nothing to learn"
        )


def rule_templates(lexical: LexicalFeatures, edges: LexicalModel | None) -> GrammarTemplates:
    """What is learned: those of Simianer et al. (2012, §4), and WordEdges where there are any."""
    wanted: list[tuple[bool, GrammarTemplate]] = [
        (lexical.rule_ids, RuleId()),
        (lexical.source_bigrams, SourceNgrams()),
        (lexical.shapes, RuleShape()),
    ]
    templates = [template for is_wanted, template in wanted if is_wanted]
    return GrammarTemplates([*templates, *([RuleEdges(edges)] if edges is not None else [])])


@dataclass(frozen=True)
class RuleLesson:
    """What is learned from, and how an epoch is judged."""

    model: TranslationModel
    """With its tuned weights."""
    bitext: Bitext
    folds: Sequence[TranslationModel]
    shards: Shards | None
    """What takes the place of text and folds, if there is such a folder."""
    dev: tuple[Sequence[str], Sequence[Sequence[str]]]
    open: Callable[[TranslationModel], Decoder]
    """The decoder of a model that is tuned."""
    tuning: Callable[[Decoder], TuningLoop] | None
    """How it is tuned on `dev` to judge an epoch; None: it is judged as it is."""

    def learn(
        self, templates: GrammarTemplates, maxforce: Maxforce, folder: Path, state: Path
    ) -> None:
        """Learn, and write templates, weights and the log of the epochs into `folder`.

        `state` keeps the learner's state between kills.
        """
        start = self.model.weights
        search = replace(SearchOptions.of_model(self.model), pop_limit=maxforce.beam)
        with TemporaryDirectory(dir=folder) as temporary:

            def taught(model: TranslationModel, name: str) -> TranslationModel:
                return model.with_templates(templates, start, Path(temporary) / name)

            decoder = self.open(own := taught(self.model, "model"))
            fit: Callable[..., LearnResult]
            if self.shards is not None:
                searched = open_decoder(own, search=search, engine=maxforce.engine)
                fit = partial(maxforce.fit_shards, decoder, self.shards, searched=searched)
            else:
                folds = [
                    open_decoder(taught(fold, f"fold-{i}"), search=search, engine=maxforce.engine)
                    for i, fold in enumerate(self.folds)
                ]
                fit = partial(maxforce.fit_decoder, decoder, self.bitext, folds=folds)
            result = fit(
                self.dev,
                start,
                judge=None
                if self.tuning is None
                else lambda found: self._judged(decoder, found, Path(temporary)),
                folder=state,
                report=report_epoch,
            )
        templates.save(folder / TEMPLATES_FILE)
        write_weights(folder / WEIGHTS_FILE, result.weights)
        write_result(folder, result, len(self.dev[1]))

    def _judged(self, decoder: Decoder, found: Learned, temporary: Path) -> tuple[float, Weights]:
        """The weights fit the dev set without what was learned: with them it would seem no use."""
        assert self.tuning is not None
        grouped = GroupedDecoder.of_weights(decoder, found.weights)
        with TemporaryDirectory(dir=temporary) as place:
            result = self.tuning(grouped).run(grouped.start(found.weights), Path(place))
        return result.score, grouped.whole(result.weights)
