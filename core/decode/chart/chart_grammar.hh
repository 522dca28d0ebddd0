// Grammars that charts can be filled with.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/chart/chart_input.hh"
#include "decode/chart/scored_rules.hh"
#include "grammar/scfg/read_scfg.hh"

namespace tunesmith::decode {

// Where the rules for a sentence come from.
class GrammarSource {
 public:
  virtual ~GrammarSource() = default;
  // The grammar for sentence `s` of the caller; may be called from several threads.
  virtual std::shared_ptr<const ChartGrammar> grammar(std::size_t s,
                                                      const ChartInput& input) const = 0;
};

// A grammar that was read from a file, for one sentence or for all.
class LoadedGrammar {
 public:
  // `names` are the model's features of rules; those that are missing among them count nothing. The
  // model must outlive this.
  LoadedGrammar(std::shared_ptr<const grammar::ScfgGrammar> loaded, const ChartModel& model,
                const StringIndex& names);
  LoadedGrammar(const LoadedGrammar&) = delete;

  const ChartGrammar& view() const { return view_; }

 private:
  std::shared_ptr<const grammar::ScfgGrammar> loaded_;
  RuleTrie trie_;
  TargetWords lm_words_;
  std::vector<std::uint32_t> columns_;
  ChartGrammar view_;
};

// Grammars of all sentences, or one for all of them.
class LoadedGrammars final : public GrammarSource {
 public:
  explicit LoadedGrammars(std::vector<std::shared_ptr<const LoadedGrammar>> grammars)
      : grammars_(std::move(grammars)) {}
  std::shared_ptr<const ChartGrammar> grammar(std::size_t s, const ChartInput&) const override;

 private:
  std::vector<std::shared_ptr<const LoadedGrammar>> grammars_;
};

}  // namespace tunesmith::decode
