#include "lm/estimate.hh"

#include <algorithm>

#include "base/error.hh"
#include "lm/count_ngrams.hh"

namespace tunesmith::lm {
namespace {

class InMemory {
 public:
  InMemory(std::vector<OrderCounts>&& counts, const EstimateOptions& options,
           const std::vector<bool>& allowed)
      : counts_(std::move(counts)),
        options_(options),
        allowed_(allowed),
        order_(static_cast<int>(counts_.size())) {}

  Estimate run(StringIndex&& vocabulary) {
    ngrams_.vocabulary = std::move(vocabulary);
    ngrams_.orders.resize(order_);
    mark_pruned();
    adjust_counts();
    for (int n = 1; n <= order_; ++n) {
      out_.unpruned.push_back(counts_[n - 1].size());
      out_.discounts.push_back(discounts_of(n));
    }
    lower_ = {1.0f / static_cast<float>(kept_unigrams() - 1)};
    for (int n = 1; n <= order_; ++n) probabilities(n);
    finish();
    out_.in_memory = std::move(ngrams_);
    return std::move(out_);
  }

 private:
  bool pruning() const { return !pruned_.empty(); }
  bool is_pruned(int n, std::size_t i) const { return pruning() && pruned_[n - 1][i]; }

  void mark_pruned() {
    if (options_.prune.empty() && allowed_.empty()) return;
    pruned_.resize(order_);
    std::vector<bool> forbidden, forbidden_below;  // has a word outside the vocabulary
    for (int n = 1; n <= order_; ++n) {
      const OrderCounts& list = counts_[n - 1];
      pruned_[n - 1].assign(list.size(), false);
      forbidden_below.swap(forbidden);
      forbidden.assign(list.size(), false);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (!allowed_.empty())
          forbidden[i] = !allowed_[list.word[i]] || (n > 1 && forbidden_below[list.context[i]]);
        const bool marker = n == 1 && i <= kEnd;
        pruned_[n - 1][i] = !marker && (forbidden[i] || list.count[i] <= options_.threshold(n));
      }
    }
  }

  // Occurrences become adjusted counts, from the highest order down.
  void adjust_counts() {
    for (int n = order_ - 1; n >= 1; --n) {
      OrderCounts& list = counts_[n - 1];
      for (std::size_t i = 0; i < list.size(); ++i)
        if (!list.at_begin[i]) list.count[i] = 0;
      // What starts with <s> is nobody's suffix.
      for (const std::uint32_t suffix : counts_[n].suffix) ++list.count[suffix];
      counts_[n].at_begin = {};
    }
  }

  Discounts discounts_of(int n) const {
    std::array<std::uint64_t, 5> t{};
    for (const std::uint32_t count : counts_[n - 1].count)
      if (count < 5) ++t[count];
    return discounts_from(t);
  }

  std::size_t kept_unigrams() const {
    const std::size_t all = counts_[0].size();
    return pruning() ? all - std::count(pruned_[0].begin(), pruned_[0].end(), true) : all;
  }

  // lower_ holds the probabilities of the order below and is replaced by those of order n.
  void probabilities(int n) {
    OrderCounts& list = counts_[n - 1];
    const Discounts& discounts = out_.discounts[n - 1];
    const std::size_t contexts = n == 1 ? 1 : counts_[n - 2].size();
    std::vector<ContextSums> sums(contexts);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.count[i] == 0) continue;  // <unk> and <s>
      sums[n == 1 ? 0 : list.context[i]].add(list.count[i], is_pruned(n, i));
    }
    std::vector<float> gamma(contexts, 1.0f);
    for (std::size_t c = 0; c < contexts; ++c)
      if (sums[c].total > 0) gamma[c] = sums[c].gamma(discounts);
    std::vector<float> probability(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::uint32_t context = n == 1 ? 0 : list.context[i];
      probability[i] = interpolate(list.count[i], discounts, sums[context].total, gamma[context],
                                   lower_[n == 1 ? 0 : list.suffix[i]]);
    }
    if (n == 1) probability[kBegin] = 1.0f;
    list.count = {};
    OrderNgrams& ngrams = ngrams_.orders[n - 1];
    ngrams.log10.resize(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) ngrams.log10[i] = log10_of(probability[i]);
    lower_ = std::move(probability);
    if (n > 1) {
      OrderNgrams& below = ngrams_.orders[n - 2];
      below.backoff.resize(contexts);
      for (std::size_t c = 0; c < contexts; ++c) below.backoff[c] = backoff_log10(gamma[c]);
    }
  }

  void finish() {
    for (int n = 1; n <= order_; ++n) {
      OrderNgrams& list = ngrams_.orders[n - 1];
      list.context = std::move(counts_[n - 1].context);
      list.word = std::move(counts_[n - 1].word);
      list.suffix = std::move(counts_[n - 1].suffix);
      ngrams_.counts.push_back(list.size());
    }
    for (std::vector<bool>& pruned : pruned_) pruned.flip();
    sort_ngrams(ngrams_, pruning() ? &pruned_ : nullptr);
  }

  std::vector<OrderCounts> counts_;
  const EstimateOptions& options_;
  const std::vector<bool>& allowed_;
  int order_;
  std::vector<std::vector<bool>> pruned_;
  std::vector<float> lower_;
  Ngrams ngrams_;
  Estimate out_;
};

}  // namespace

Estimate estimate(Corpus& corpus, const EstimateOptions& options) {
  if (options.order < 1 || options.order > kMaxOrder)
    throw OptionError("order " + std::to_string(options.order) + " is not between 1 and " +
                      std::to_string(kMaxOrder));
  if (!std::is_sorted(options.prune.begin(), options.prune.end()))
    throw OptionError("pruning thresholds must not fall from one order to the next");
  if (corpus.tokens().empty()) throw InputError(corpus.path(), 0, "no lines", "text to train on");
  const std::vector<bool> allowed = allowed_words(corpus, options);
  ClassLayer layer = corpus.class_layer();
  if (layer.words.size() > 0 && (options.threshold(1) > 0 || !allowed.empty()))
    throw OptionError("classes cannot be pruned: limit the words by the list of classes instead");
  if (!corpus.spilled()) {
    std::vector<OrderCounts> counts = count_ngrams(corpus.tokens(), corpus.vocabulary().size(),
                                                   options.order, options.threads, options.memory);
    if (!counts.empty()) {
      corpus.clear_tokens();
      Estimate out =
          InMemory(std::move(counts), options, allowed).run(std::move(corpus.vocabulary()));
      out.layer = std::move(layer);
      return out;
    }
  }
  StoredEstimate stored = estimate_in_files(corpus, options, allowed);
  Estimate out;
  out.layer = std::move(layer);
  out.discounts = std::move(stored.discounts);
  out.unpruned = std::move(stored.unpruned);
  out.in_files = std::move(stored.ngrams);
  return out;
}

void Estimate::write_arpa(const std::function<void(std::string_view)>& write) {
  if (in_memory)
    lm::write_arpa(*in_memory, write);
  else
    lm::write_arpa(*in_files, write);
}

std::shared_ptr<const Model> Estimate::take_model() {
  Ngrams ngrams = in_memory ? std::move(*in_memory) : load(std::move(*in_files));
  ngrams.layer = std::move(layer);
  return build_model(std::move(ngrams));
}

}  // namespace tunesmith::lm
