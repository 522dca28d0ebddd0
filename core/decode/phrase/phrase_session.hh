// Searches that follow each other under the same weights: rules that one sentence has made ready
// need not be made ready again for the next.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "decode/phrase/phrase_search.hh"

namespace tunesmith::decode {

// Of a sentence.
constexpr int kMostPhraseWords = LastPhrase::kHidden - 1;

using SearchGraphVisitor = std::function<void(std::size_t sentence, const SearchGraph&)>;

class PhraseSession {
 public:
  // Throws OptionError for weights (dense, then sparse) that are not those of the model, or too
  // large. The model must outlive this.
  PhraseSession(const PhraseModel& model, std::span<const double> weights,
                const SearchOptions& options);

  const PhraseModel& model() const { return model_; }
  std::span<const double> weights() const { return weights_; }

  // Searches every sentence on `threads` threads and hands its search graph to `take(s, graph)`,
  // from any thread; the graph is gone afterwards. What is found does not depend on earlier
  // searches. May be called from several threads at the same time.
  void search(const std::vector<SourceSentence>& sentences, int threads,
              const SearchGraphVisitor& take);

 private:
  struct Worker {
    RuleCache cache;
    PhraseSearch search;
  };
  std::unique_ptr<Worker> hire();
  void release(std::unique_ptr<Worker> worker);
  // The same for a sentence with forbidden phrases.
  void search_allowed(Worker& worker, std::size_t s, const SourceSentence& sentence,
                      const SearchGraphVisitor& take) const;

  const PhraseModel& model_;
  std::vector<double> weights_;
  SearchOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace tunesmith::decode
