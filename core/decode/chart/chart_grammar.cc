#include "decode/chart/chart_grammar.hh"

#include <algorithm>
#include <utility>

#include "base/error.hh"

namespace tunesmith::decode {
namespace {

// A feature that the model does not have goes where no weight is.
std::vector<std::uint32_t> columns_of(const StringIndex& features, const StringIndex& names) {
  std::vector<std::uint32_t> columns(features.size());
  for (std::uint32_t i = 0; i < columns.size(); ++i) columns[i] = names.find(features.text(i));
  return columns;
}

// X, as Chiang calls it, or the first.
int default_label(const StringIndex& labels) {
  const std::uint32_t x = labels.find("X");
  return x == StringIndex::kMissing ? 0 : static_cast<int>(x);
}

}  // namespace

LoadedGrammar::LoadedGrammar(std::shared_ptr<const grammar::ScfgGrammar> loaded,
                             const ChartModel& model, const StringIndex& names,
                             std::shared_ptr<const features::GrammarFeatures> sparse)
    : loaded_(std::move(loaded)),
      sparse_(std::move(sparse)),
      trie_(loaded_->rules),
      lm_words_(loaded_->target_words, model),
      columns_(columns_of(loaded_->features, names)),
      view_{loaded_->rules,
            trie_,
            loaded_->source_words,
            loaded_->target_words,
            lm_words_,
            std::max(1, static_cast<int>(loaded_->labels.size())),
            default_label(loaded_->labels),
            columns_,
            sparse_.get(),
            nullptr} {}

LoadedGrammars::LoadedGrammars(std::vector<std::shared_ptr<const LoadedGrammar>> grammars,
                               std::size_t sentences)
    : grammars_(std::move(grammars)) {
  if (grammars_.size() != 1 && grammars_.size() != sentences)
    throw OptionError(std::to_string(grammars_.size()) + " grammars for " +
                      std::to_string(sentences) + " sentences, expected one or as many");
}

}  // namespace tunesmith::decode
