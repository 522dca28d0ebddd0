#include "decode/phrase/phrase_session.hh"

#include <string>
#include <utility>

#include "base/weight_limit.hh"
#include "engine/parallel.hh"

namespace tunesmith::decode {
namespace {

void check(const std::vector<SourceSentence>& sentences) {
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto words = static_cast<int>(sentences[s].words.size());
    if (words >= SearchState::kHidden)
      throw OptionError("sentence " + std::to_string(s + 1) + " has " + std::to_string(words) +
                        " words, more than 65,534");
    if (!sentences[s].copies.empty() && sentences[s].copies.size() != sentences[s].words.size())
      throw OptionError("sentence " + std::to_string(s + 1) + ": one copy per word is needed");
    int last_end = 0;
    for (const ForcedPhrase& phrase : sentences[s].forced) {
      if (phrase.begin < last_end || phrase.end <= phrase.begin || phrase.end > words)
        throw OptionError("sentence " + std::to_string(s + 1) +
                          ": prescribed spans must be in order and inside the sentence");
      last_end = phrase.end;
    }
  }
}

}  // namespace

PhraseSession::PhraseSession(const PhraseModel& model, std::span<const double> weights,
                             const SearchOptions& options)
    : model_(model), weights_(weights.begin(), weights.end()), options_(options) {
  if (weights.size() != model.weights())
    throw OptionError(std::to_string(weights.size()) + " weights for " +
                      std::to_string(model.weights()) + " features");
  check_weights(weights);
}

std::unique_ptr<PhraseSession::Worker> PhraseSession::hire() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Worker> worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  return std::unique_ptr<Worker>(new Worker{RuleCache(model_, weights_, options_.table_limit),
                                            PhraseSearch(model_, weights_, options_)});
}

void PhraseSession::release(std::unique_ptr<Worker> worker) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(worker));
}

void PhraseSession::search(const std::vector<SourceSentence>& sentences, int threads,
                           const SearchGraphVisitor& take) {
  check(sentences);
  std::vector<std::unique_ptr<Worker>> workers(engine::resolve_threads(threads));
  engine::parallel_for_worker(sentences.size(), threads, [&](std::size_t s, int w) {
    if (!workers[w]) workers[w] = hire();
    Worker& worker = *workers[w];
    worker.cache.trim();
    const PhraseOptions choices(worker.cache, options_, sentences[s]);
    take(s, worker.search.run(choices, sentences[s]));
  });
  for (auto& worker : workers)
    if (worker) release(std::move(worker));
}

}  // namespace tunesmith::decode
