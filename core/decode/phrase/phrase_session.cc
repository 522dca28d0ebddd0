#include "decode/phrase/phrase_session.hh"

#include <string>
#include <utility>

#include "base/weight_limit.hh"
#include "engine/parallel.hh"

namespace tunesmith::decode {

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
  check_sentences(sentences, kMostPhraseWords);
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
