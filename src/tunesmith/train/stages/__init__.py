"""The stages of training in their order, one file each."""

from tunesmith.train.stages.align import Align, SecondAlign
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.stages.corpus import Corpus
from tunesmith.train.stages.features import SparseFeatures
from tunesmith.train.stages.folds import Folds
from tunesmith.train.stages.forced_phrases import ForcedPhrases
from tunesmith.train.stages.grammar import RuleIndex
from tunesmith.train.stages.language_model import FirstModel, SecondModel
from tunesmith.train.stages.learn import Learn
from tunesmith.train.stages.mono import Mono
from tunesmith.train.stages.phrases import Phrases, SecondPhrases
from tunesmith.train.stages.reorder import Reorder
from tunesmith.train.stages.rule_templates import RuleTemplates
from tunesmith.train.stages.tune import Retune, Tune

#: A run has some of them (see `TrainingStage.is_part_of`); a stage uses only those before it.
STAGES: tuple[type[TrainingStage], ...] = (
    Corpus,  # text → word ids, preprocessors, the dev set in tokens
    Align,  # ids → word links
    SecondAlign,  # the same by another alignment model
    Mono,  # monolingual text → what of it is like the training text
    FirstModel,  # target ids → n-grams
    SecondModel,  # n-grams of word classes, or a given model
    RuleIndex,  # ids and links → an index for the rules of a hierarchical model; or
    Phrases,  # ids and links → phrase table
    SecondPhrases,  # the same with the second links
    ForcedPhrases,  # or the first table, counted again where forced decoding uses it
    Reorder,  # ids and links → maximum-entropy reordering model
    SparseFeatures,  # tables → sparse features of their rules; or
    RuleTemplates,  # how rules that are looked up get theirs
    Tune,  # the model so far and the dev set → weights
    Folds,  # for the learner: models that have not seen a part of the pairs
    Learn,  # pairs and these models → lexical features
    Retune,  # all of it and the dev set → weights
)

#: What the stages, and their folders, are called.
STAGE_NAMES = tuple(dict.fromkeys(stage.name for stage in STAGES))

__all__ = ["STAGES", "STAGE_NAMES", "TrainingStage"]
