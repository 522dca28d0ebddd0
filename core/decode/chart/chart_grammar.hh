// Grammars that charts can be filled with.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/chart/scored_rules.hh"
#include "grammar/scfg/read_scfg.hh"

namespace tunesmith::decode {

// A grammar that was read from a file, for one sentence or for all.
class LoadedGrammar {
 public:
  // `names` are the model's features of rules; those that are missing among them count nothing.
  // `sparse` are further ones of this grammar's rules; null: none. The model must outlive this.
  LoadedGrammar(std::shared_ptr<const grammar::ScfgGrammar> loaded, const ChartModel& model,
                const StringIndex& names,
                std::shared_ptr<const features::GrammarFeatures> sparse = nullptr);
  LoadedGrammar(const LoadedGrammar&) = delete;

  const ChartGrammar& view() const { return view_; }

 private:
  std::shared_ptr<const grammar::ScfgGrammar> loaded_;
  std::shared_ptr<const features::GrammarFeatures> sparse_;
  RuleTrie trie_;
  TargetWords lm_words_;
  std::vector<std::uint32_t> columns_;
  ChartGrammar view_;
};

// Of each sentence, or one for all of them.
class LoadedGrammars {
 public:
  // Throws OptionError unless there is one grammar, or one for each of so many sentences.
  LoadedGrammars(std::vector<std::shared_ptr<const LoadedGrammar>> grammars, std::size_t sentences);
  const ChartGrammar& of(std::size_t sentence) const {
    return grammars_[grammars_.size() == 1 ? 0 : sentence]->view();
  }

 private:
  std::vector<std::shared_ptr<const LoadedGrammar>> grammars_;
};

}  // namespace tunesmith::decode
