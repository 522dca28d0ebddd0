#include "metrics/consensus.hh"

#include <algorithm>
#include <numeric>

#include "engine/parallel.hh"
#include "metrics/list_ngrams.hh"
#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {
namespace {

// The n-grams of one list, of all kinds of symbols.
class ListCounts {
 public:
  explicit ListCounts(const OverlapMetric& metric) : metric_(metric) {
    for (const int order : metric.orders()) {
      kinds_.emplace_back(order);
      firsts_.push_back(orders_);
      orders_ += order;
    }
  }

  void set(std::span<const std::string_view> texts) {
    size_ = texts.size();
    scratch_.resize(std::max(scratch_.size(), size_));
    by_kind_.assign(kinds_.size(), std::vector<std::vector<std::string_view>>(size_));
    totals_.assign(size_ * orders_, 0.0);
    for (std::size_t t = 0; t < size_; ++t) {
      metric_.split(texts[t], scratch_[t], symbols_);
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const std::size_t length = symbols_[k].size();
        for (int n = 0; n < kinds_[k].order() && static_cast<std::size_t>(n) < length; ++n)
          totals_[t * orders_ + firsts_[k] + n] = static_cast<double>(length - n);
        by_kind_[k][t] = std::move(symbols_[k]);
      }
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      SymbolTables table;
      table.add(by_kind_[k], numbers_);
      kinds_[k].set(numbers_);
    }
  }

  std::size_t size() const { return size_; }
  std::size_t orders() const { return orders_; }
  std::size_t kinds() const { return kinds_.size(); }
  const ListNgrams& ngrams(std::size_t kind) const { return kinds_[kind]; }
  // Where the orders of a kind begin.
  std::size_t first(std::size_t kind) const { return firsts_[kind]; }
  // n-grams of a text, over all orders.
  const double* totals(std::size_t text) const { return totals_.data() + text * orders_; }

 private:
  const OverlapMetric& metric_;
  std::vector<ListNgrams> kinds_;
  std::vector<std::size_t> firsts_;
  std::size_t orders_ = 0, size_ = 0;
  std::vector<double> totals_;
  std::vector<Preprocess::Scratch> scratch_;
  OverlapMetric::Symbols symbols_;
  std::vector<std::vector<std::vector<std::string_view>>> by_kind_;
  std::vector<std::vector<std::uint32_t>> numbers_;
};

// Every pair of texts is compared once: both have the same matches, whichever is the reference.
void expect_list(const OverlapMetric& metric, const Gain& gain, const ListCounts& list,
                 const double* weights, double* out) {
  const std::size_t size = list.size(), orders = list.orders();
  std::vector<std::uint32_t> matches(size * orders);
  std::vector<double> both(orders), stats(static_cast<std::size_t>(gain.size()));
  // Texts are met in rising order: of each n-gram's texts, those before `next` have been.
  std::vector<std::vector<std::size_t>> next(list.kinds());
  for (std::size_t k = 0; k < list.kinds(); ++k) next[k].assign(list.ngrams(k).size(), 0);
  const auto value = [&](std::size_t hypothesis, std::size_t reference) {
    metric.stats(both.data(), list.totals(hypothesis), list.totals(reference), stats.data());
    return gain(stats.data());
  };
  std::fill_n(out, size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    std::fill(matches.begin() + static_cast<std::ptrdiff_t>(i * orders), matches.end(), 0);
    for (std::size_t k = 0; k < list.kinds(); ++k) {
      const ListNgrams& ngrams = list.ngrams(k);
      for (const auto& [ngram, count] : ngrams.of_text(i)) {
        std::uint32_t* const column = matches.data() + list.first(k) + ngrams.length(ngram);
        for (const auto& [text, other] : ngrams.texts_with(ngram).subspan(next[k][ngram]++))
          column[text * orders] += std::min(count, other);
      }
    }
    for (std::size_t j = i; j < size; ++j) {
      std::copy_n(matches.data() + j * orders, orders, both.data());
      out[i] += weights[j] * value(i, j);
      if (j > i) out[j] += weights[i] * value(j, i);
    }
  }
}

void aggregate_list(const OverlapMetric& metric, const Gain& gain, const ListCounts& list,
                    const double* weights, double* out) {
  const std::size_t size = list.size(), orders = list.orders();
  std::vector<double> reference(orders), matches(orders);
  std::vector<double> stats(static_cast<std::size_t>(gain.size()));
  std::vector<std::vector<double>> average(list.kinds());
  for (std::size_t t = 0; t < size; ++t)
    for (std::size_t n = 0; n < orders; ++n) reference[n] += weights[t] * list.totals(t)[n];
  for (std::size_t k = 0; k < list.kinds(); ++k) {
    const ListNgrams& ngrams = list.ngrams(k);
    average[k].resize(ngrams.size());
    for (std::size_t g = 0; g < ngrams.size(); ++g)
      for (const auto& [text, count] : ngrams.texts_with(static_cast<std::uint32_t>(g)))
        average[k][g] += weights[text] * count;
  }
  for (std::size_t t = 0; t < size; ++t) {
    std::fill(matches.begin(), matches.end(), 0.0);
    for (std::size_t k = 0; k < list.kinds(); ++k)
      for (const auto& [ngram, count] : list.ngrams(k).of_text(t))
        matches[list.first(k) + list.ngrams(k).length(ngram)] +=
            std::min<double>(count, average[k][ngram]);
    metric.stats(matches.data(), list.totals(t), reference.data(), stats.data());
    out[t] = gain(stats.data());
  }
}

template <typename Work>
void each_list(const OverlapMetric& metric, const TextLists& lists, int threads, const Work& work) {
  threads = engine::resolve_threads(threads);
  std::vector<ListCounts> counts(static_cast<std::size_t>(threads), ListCounts(metric));
  engine::parallel_for_worker(lists.size(), threads, [&](std::size_t l, int worker) {
    const auto begin = static_cast<std::size_t>(lists.offsets[l]);
    const auto end = static_cast<std::size_t>(lists.offsets[l + 1]);
    ListCounts& list = counts[static_cast<std::size_t>(worker)];
    list.set(lists.texts.subspan(begin, end - begin));
    work(list, begin);
  });
}

}  // namespace

void expected_gains(const OverlapMetric& metric, const Gain& gain, const TextLists& lists,
                    double* out, int threads) {
  each_list(metric, lists, threads, [&](const ListCounts& list, std::size_t begin) {
    expect_list(metric, gain, list, lists.weights.data() + begin, out + begin);
  });
}

void aggregated_gains(const OverlapMetric& metric, const Gain& gain, const TextLists& lists,
                      double* out, int threads) {
  each_list(metric, lists, threads, [&](const ListCounts& list, std::size_t begin) {
    aggregate_list(metric, gain, list, lists.weights.data() + begin, out + begin);
  });
}

void expected_gains(const SegmentScorer& scorer, const Gain& gain, const TextLists& lists,
                    double* out, int threads) {
  const auto size = static_cast<std::size_t>(scorer.size());
  engine::parallel_for(lists.size(), threads, [&](std::size_t l) {
    std::vector<std::int32_t> whole(size);
    std::vector<double> stats(size);
    const auto begin = static_cast<std::size_t>(lists.offsets[l]);
    const auto end = static_cast<std::size_t>(lists.offsets[l + 1]);
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = 0.0;
      for (std::size_t j = begin; j < end; ++j) {
        scorer.stats(static_cast<std::uint32_t>(j), lists.texts[i], whole.data());
        std::copy(whole.begin(), whole.end(), stats.begin());
        out[i] += lists.weights[j] * gain(stats.data());
      }
    }
  });
}

}  // namespace tunesmith::metrics
