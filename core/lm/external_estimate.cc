// The way of the n-grams, words last first in every record:
//   1. count   all n-grams of the highest order, sorted by suffix, equal ones added up;
//   2. adjust  one pass gives the adjusted counts of all orders, each sorted by suffix;
//   3. per order: sort by context, sum each context's continuations → γ(context), in the order of
//      the contexts' suffixes; sort the n-grams by suffix again;
//   4. per order: join with the probabilities of the order below, which come in the same order,
//      and with the γ of the order above.
#include "lm/external_estimate.hh"

#include <bit>
#include <cstring>

#include "lm/arpa_printer.hh"
#include "lm/external_sort.hh"
#include "lm/ngram_linker.hh"

namespace tunesmith::lm {
namespace {

std::uint64_t wide(const std::uint32_t* low_high) {
  return low_high[0] | (static_cast<std::uint64_t>(low_high[1]) << 32);
}
void put_wide(std::vector<std::uint32_t>& out, std::uint64_t value) {
  out.push_back(static_cast<std::uint32_t>(value));
  out.push_back(static_cast<std::uint32_t>(value >> 32));
}
std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float real(std::uint32_t value) { return std::bit_cast<float>(value); }

class InFiles {
 public:
  InFiles(Corpus& corpus, const EstimateOptions& options, const std::vector<bool>& allowed)
      : corpus_(corpus),
        options_(options),
        allowed_(allowed),
        order_(options.order),
        // Two sorters work at a time, and the pages of files want some memory too.
        sorter_memory_(options.memory / 3) {}

  StoredEstimate run() {
    adjust();
    for (const auto& t : counts_of_counts_) out_.discounts.push_back(discounts_from(t));
    rename_words();
    RecordFile below = unigrams();
    for (int n = 2; n <= order_; ++n) {
      RecordFile gammas = file();
      ExternalSorter sums = sum_contexts(n, gammas);
      store(n - 1, below, &gammas);
      below = interpolate_order(n, sums, below);
    }
    store(order_, below, nullptr);
    return std::move(out_);
  }

 private:
  RecordFile file() const { return RecordFile(options_.temporary_folder); }

  ExternalSorter sorter(std::size_t width, std::size_t key, bool sum) const {
    return ExternalSorter(options_.temporary_folder, width, key, sum, sorter_memory_);
  }

  // The n-gram of the highest order at every token, filled up with <s> on the left.
  ExternalSorter count() {
    ExternalSorter out = sorter(order_ + 2, order_, true);
    std::vector<std::uint32_t> record(order_ + 2, kBegin);
    record[order_] = 1;
    record[order_ + 1] = 0;
    corpus_.replay([&](std::span<const WordId> tokens) {
      for (const WordId token : tokens) {
        if (token == kBegin) {
          std::fill_n(record.begin(), order_, kBegin);
          continue;
        }
        std::memmove(&record[1], &record[0], (order_ - 1) * sizeof(std::uint32_t));
        record[0] = token;
        out.add(record.data());
      }
    });
    return out;
  }

  void adjust() {
    ExternalSorter full = count();
    counts_of_counts_.resize(order_);
    out_.unpruned.assign(order_, 0);
    for (int n = 1; n <= order_; ++n) adjusted_.push_back(file());
    std::vector<std::uint32_t> open(order_);  // the n-grams that still grow, all prefixes of this
    std::vector<std::uint64_t> occurrences(order_ + 1, 0), adjusted(order_ + 1, 0);
    int length = 0;
    const auto close = [&](int down_to) {
      for (; length > down_to; --length)
        emit(open.data(), length, occurrences[length], adjusted[length]);
    };
    for (const std::uint32_t marker : {kUnknown, kBegin}) emit(&marker, 1, 0, 0);
    while (const std::uint32_t* record = full.next()) {
      const std::uint64_t count = wide(record + order_);
      int same = 0;
      while (same < length && record[same] == open[same]) ++same;
      close(same);
      for (int n = 1; n <= same; ++n) occurrences[n] += count;
      if (same > 0) ++adjusted[same];  // one more word seen to its left
      while (length < order_ && (length == 0 || record[length - 1] != kBegin)) {
        open[length] = record[length];
        ++length;
        occurrences[length] = count;
        adjusted[length] = length == order_ || record[length - 1] == kBegin ? count : 1;
      }
    }
    close(0);
  }

  void emit(const std::uint32_t* words, int n, std::uint64_t occurrences, std::uint64_t adjusted) {
    bool pruned = false;
    if (n > 1 || words[0] > kEnd) {
      pruned =
          (!options_.prune.empty() || !allowed_.empty()) && occurrences <= options_.threshold(n);
      for (int k = 0; k < n && !allowed_.empty(); ++k) pruned |= !allowed_[words[k]];
    }
    if (adjusted < 5) ++counts_of_counts_[n - 1][adjusted];
    ++out_.unpruned[n - 1];
    record_.assign(words, words + n);
    put_wide(record_, adjusted);
    record_.push_back(pruned);
    adjusted_[n - 1].append(record_.data(), record_.size());
  }

  // Words that stay keep their order and close ranks.
  void rename_words() {
    RecordReader words(adjusted_[0], 4);
    StringIndex& vocabulary = corpus_.vocabulary();
    renamed_.assign(vocabulary.size(), 0);
    StringIndex kept;
    while (const std::uint32_t* record = words.next())
      if (record[3] == 0) renamed_[record[0]] = kept.add(vocabulary.text(record[0]));
    vocabulary = {};
    out_.ngrams.vocabulary = std::move(kept);
  }

  // Records of what follows: n words, bits of the probability.
  RecordFile unigrams() {
    const Discounts& discounts = out_.discounts[0];
    ContextSums sums;
    RecordReader counts(adjusted_[0], 4);
    while (const std::uint32_t* record = counts.next())
      if (wide(record + 1) > 0) sums.add(wide(record + 1), record[3] != 0);
    const float uniform = 1.0f / static_cast<float>(out_.ngrams.vocabulary.size() - 1);
    const float gamma = sums.gamma(discounts);
    RecordFile out = file();
    RecordReader again(adjusted_[0], 4);
    while (const std::uint32_t* record = again.next()) {
      if (record[3] != 0) continue;
      const float p = record[0] == kBegin
                          ? 1.0f
                          : interpolate(wide(record + 1), discounts, sums.total, gamma, uniform);
      const std::uint32_t result[] = {record[0], bits(p)};
      out.append(result, 2);
    }
    return out;
  }

  // Gives n-grams by suffix, each with its adjusted count, its context's total and γ; writes the
  // contexts with their γ, by suffix too.
  ExternalSorter sum_contexts(int n, RecordFile& gammas) {
    ExternalSorter by_context = sorter(n + 3, n, false);
    RecordReader ngrams(adjusted_[n - 1], n + 3);
    while (const std::uint32_t* record = ngrams.next()) {
      record_.assign(record + 1, record + n);
      record_.push_back(record[0]);
      record_.insert(record_.end(), record + n, record + n + 3);
      by_context.add(record_.data());
    }
    adjusted_[n - 1] = file();

    ExternalSorter by_suffix = sorter(n + 5, n, false);
    std::vector<std::uint32_t> context;  // n − 1 words
    std::vector<std::uint32_t> group;    // its continuations: word, adjusted count, pruned
    ContextSums sums;
    const auto finish_group = [&] {
      if (group.empty()) return;
      const float gamma = sums.gamma(out_.discounts[n - 1]);
      record_ = context;
      record_.push_back(bits(gamma));
      gammas.append(record_.data(), record_.size());
      for (std::size_t i = 0; i < group.size(); i += 4) {
        if (group[i + 3] != 0) continue;
        record_.assign(1, group[i]);
        record_.insert(record_.end(), context.begin(), context.end());
        record_.insert(record_.end(), {group[i + 1], group[i + 2]});
        put_wide(record_, sums.total);
        record_.push_back(bits(gamma));
        by_suffix.add(record_.data());
      }
      group.clear();
      sums = {};
    };
    while (const std::uint32_t* record = by_context.next()) {
      if (!std::equal(context.begin(), context.end(), record) || context.empty()) {
        finish_group();
        context.assign(record, record + n - 1);
      }
      group.insert(group.end(), record + n - 1, record + n + 3);
      sums.add(wide(record + n), record[n + 2] != 0);
    }
    finish_group();
    return by_suffix;
  }

  RecordFile interpolate_order(int n, ExternalSorter& ngrams, RecordFile& below) {
    RecordFile out = file();
    RecordReader lower(below, n);
    const std::uint32_t* suffix = nullptr;
    while (const std::uint32_t* record = ngrams.next()) {
      // Every suffix of a kept n-gram is kept, so the reader always finds it ahead.
      while (suffix == nullptr || !std::equal(suffix, suffix + n - 1, record))
        suffix = lower.next();
      const float p = interpolate(wide(record + n), out_.discounts[n - 1], wide(record + n + 2),
                                  real(record[n + 4]), real(suffix[n - 1]));
      record_.assign(record, record + n);
      record_.push_back(bits(p));
      out.append(record_.data(), record_.size());
    }
    return out;
  }

  void store(int n, RecordFile& probabilities, RecordFile* gammas) {
    RecordFile& out = out_.ngrams.orders.emplace_back(file());
    std::uint64_t count = 0;
    RecordReader ngrams(probabilities, n + 1);
    std::unique_ptr<RecordReader> contexts;
    const std::uint32_t* context = nullptr;
    if (gammas != nullptr) {
      contexts = std::make_unique<RecordReader>(*gammas, n + 1);
      context = contexts->next();
    }
    while (const std::uint32_t* record = ngrams.next()) {
      while (context != nullptr &&
             std::lexicographical_compare(context, context + n, record, record + n))
        context = contexts->next();
      float backoff = 0.0f;
      if (context != nullptr && std::equal(context, context + n, record))
        backoff = backoff_log10(real(context[n]));
      record_.clear();
      for (int k = 0; k < n; ++k) record_.push_back(renamed_[record[k]]);
      record_.push_back(bits(log10_of(real(record[n]))));
      record_.push_back(bits(backoff));
      out.append(record_.data(), record_.size());
      ++count;
    }
    out_.ngrams.counts.push_back(count);
  }

  Corpus& corpus_;
  const EstimateOptions& options_;
  const std::vector<bool>& allowed_;
  int order_;
  std::uint64_t sorter_memory_;
  std::vector<RecordFile> adjusted_;  // by order: words, adjusted count, pruned
  std::vector<std::array<std::uint64_t, 5>> counts_of_counts_;
  std::vector<WordId> renamed_;
  std::vector<std::uint32_t> record_;
  StoredEstimate out_;
};

}  // namespace

StoredEstimate estimate_in_files(Corpus& corpus, const EstimateOptions& options,
                                 const std::vector<bool>& allowed) {
  return InFiles(corpus, options, allowed).run();
}

void write_arpa(StoredNgrams& ngrams, const std::function<void(std::string_view)>& write) {
  ArpaPrinter printer(write);
  const int order = static_cast<int>(ngrams.orders.size());
  printer.header(ngrams.counts);
  std::string words;
  for (int n = 1; n <= order; ++n) {
    printer.section(n);
    RecordReader records(ngrams.orders[n - 1], n + 2);
    while (const std::uint32_t* record = records.next()) {
      words.clear();
      for (int k = n; k-- > 0;) {
        words += ngrams.vocabulary.text(record[k]);
        if (k > 0) words += ' ';
      }
      printer.line(real(record[n]), words, {});
      if (n < order) printer.backoff(real(record[n + 1]));
      printer.end_line();
    }
  }
  printer.end();
}

Ngrams load(StoredNgrams&& stored) {
  Ngrams out;
  const int order = static_cast<int>(stored.orders.size());
  out.vocabulary = std::move(stored.vocabulary);
  out.orders.resize(order);
  out.counts = stored.counts;
  const NgramOrigin nowhere{"", std::vector<std::uint64_t>(order, 0)};
  NgramLinker linker(out, nowhere);
  std::vector<WordId> words;
  for (int n = 1; n <= order; ++n) {
    OrderNgrams& list = out.orders[n - 1];
    words.clear();
    RecordReader records(stored.orders[n - 1], n + 2);
    while (const std::uint32_t* record = records.next()) {
      for (int k = n; k-- > 0;) words.push_back(record[k]);
      list.log10.push_back(real(record[n]));
      if (n < order) list.backoff.push_back(real(record[n + 1]));
    }
    linker.link(n, words);
  }
  return out;
}

}  // namespace tunesmith::lm
