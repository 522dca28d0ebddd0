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
    const SourceSentence& sentence = sentences[s];
    if (sentence.forbidden.empty() || sentence.target) {
      const PhraseOptions choices(worker.cache, options_, sentence);
      take(s, worker.search.run(choices, sentence));
    } else {
      search_allowed(worker, s, sentence, take);
    }
  });
  for (auto& worker : workers)
    if (worker) release(std::move(worker));
}

// Where every way has a forbidden phrase, words may be left out. A beam can lose that way too,
// where a word before a prescribed one should have been left out: then phrases count inside rules
// alone.
void PhraseSession::search_allowed(Worker& worker, std::size_t s, const SourceSentence& sentence,
                                   const SearchGraphVisitor& take) const {
  const ForbiddenPhrases forbidden(sentence.forbidden);
  const PhraseOptions choices(worker.cache, options_, sentence, nullptr, &forbidden);
  const SearchGraph* graph = &worker.search.run(choices, sentence, &forbidden);
  if (graph->goal != kNone) return take(s, *graph);
  const PhraseOptions more(worker.cache, options_, sentence, nullptr, &forbidden, true);
  graph = &worker.search.run(more, sentence, &forbidden);
  take(s, graph->goal != kNone ? *graph : worker.search.run(choices, sentence));
}

}  // namespace tunesmith::decode
