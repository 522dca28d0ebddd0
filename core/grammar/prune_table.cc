#include "grammar/prune_table.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "grammar/phrase_table_writer.hh"

namespace tunesmith::grammar {
namespace {

// Ids of a text's words in a table; kMissing where the table does not have them.
std::vector<std::uint32_t> translate_ids(const StringIndex& from, const StringIndex& to) {
  std::vector<std::uint32_t> out(from.size());
  for (std::uint32_t id = 0; id < from.size(); ++id) out[id] = to.find(from.text(id));
  return out;
}

// Calls visit(key) for the phrases of a sentence with up to max_length words, all of them known.
template <typename Visit>
void each_phrase(std::span<const std::uint32_t> words, const std::vector<std::uint32_t>& id_of,
                 std::size_t max_length, Visit visit) {
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::uint64_t key = kEmptyPhrase;
    for (std::size_t end = begin; end < std::min(words.size(), begin + max_length); ++end) {
      const std::uint32_t id = id_of[words[end]];
      if (id == StringIndex::kMissing) break;
      key = extend_phrase(key, id);
      visit(key);
    }
  }
}

// Visits all source phrases in their order. A large table is not in memory as a whole: what lies
// behind is given back.
template <typename Visit>
void each_source(const PhraseTable& table, Visit visit) {
  constexpr std::uint64_t kWindow = 1 << 17;
  for (std::uint64_t i = 0; i < table.sources(); ++i) {
    visit(i);
    if ((i + 1) % kWindow == 0) table.give_back();
  }
  table.give_back();
}

// Phrases by the places of their keys, which are sorted and spread evenly: the first bits of a key
// say where to look. Four bytes a phrase beside the keys.
class PhraseNumbers {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  // `keys` must outlive this.
  explicit PhraseNumbers(std::span<const std::uint64_t> keys)
      : keys_(keys), bits_(std::max<int>(1, std::bit_width(keys.size()))) {
    begins_.assign((std::size_t{1} << bits_) + 1, 0);
    for (const std::uint64_t key : keys) ++begins_[(key >> (64 - bits_)) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }

  std::size_t size() const { return keys_.size(); }
  std::uint32_t find(std::uint64_t key) const {
    const std::uint64_t bucket = key >> (64 - bits_);
    for (std::uint32_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i)
      if (keys_[i] == key) return i;
    return kMissing;
  }

 private:
  std::span<const std::uint64_t> keys_;
  int bits_;
  std::vector<std::uint32_t> begins_;
};

// For every phrase of a list the sentences in which it occurs, ascending.
class Occurrences {
 public:
  Occurrences(const CodedText& text, const StringIndex& vocabulary, std::size_t max_length,
              const PhraseNumbers& numbers)
      : ends_(numbers.size() + 1, 0) {
    const std::vector<std::uint32_t> id_of = translate_ids(text.vocabulary, vocabulary);
    std::vector<std::uint32_t> last(numbers.size());
    // Twice the same walk: the first counts, the second fills.
    const auto walk = [&](auto found) {
      std::fill(last.begin(), last.end(), 0);
      for (std::uint32_t s = 0; s < text.sentences(); ++s)
        each_phrase(text[s], id_of, max_length, [&](std::uint64_t key) {
          const std::uint32_t phrase = numbers.find(key);
          if (phrase == PhraseNumbers::kMissing || last[phrase] == s + 1) return;
          last[phrase] = s + 1;
          found(phrase, s);
        });
    };
    walk([&](std::uint32_t phrase, std::uint32_t) { ++ends_[phrase + 1]; });
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    sentences_.resize(ends_.back());
    // While it is filled, ends_[p] is where the next sentence of p goes; in the end it is where p
    // ends, one place too far to the left.
    walk([&](std::uint32_t phrase, std::uint32_t s) { sentences_[ends_[phrase]++] = s; });
    ends_.insert(ends_.begin(), 0);
    ends_.pop_back();
  }

  std::span<const std::uint32_t> of(std::uint32_t phrase) const {
    return std::span(sentences_).subspan(ends_[phrase], ends_[phrase + 1] - ends_[phrase]);
  }

 private:
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint32_t> sentences_;
};

std::uint64_t shared(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::uint64_t count = 0;
  auto at = b.begin();
  if (a.size() * 16 < b.size()) {
    for (const std::uint32_t s : a) {
      at = std::lower_bound(at, b.end(), s);
      if (at == b.end()) break;
      count += *at == s;
    }
    return count;
  }
  for (const std::uint32_t s : a) {
    while (at != b.end() && *at < s) ++at;
    if (at == b.end()) break;
    count += *at == s;
  }
  return count;
}

}  // namespace

std::vector<std::uint8_t> rules_in_text(const PhraseTable& table, const CodedText& text) {
  text.check();
  std::size_t max_length = 0;
  each_source(table,
              [&](std::uint64_t i) { max_length = std::max(max_length, table.source(i).size()); });
  std::unordered_set<std::uint64_t> seen;
  const auto id_of = translate_ids(text.vocabulary, table.source_vocabulary());
  for (std::size_t s = 0; s < text.sentences(); ++s)
    each_phrase(text[s], id_of, max_length, [&](std::uint64_t key) { seen.insert(key); });
  std::vector<std::uint8_t> keep(table.rules(), 0);
  each_source(table, [&](std::uint64_t i) {
    if (!seen.contains(table.key(i))) return;
    const RuleRange range = table.rules_of(i);
    std::fill(keep.begin() + static_cast<std::ptrdiff_t>(range.begin),
              keep.begin() + static_cast<std::ptrdiff_t>(range.end), 1);
  });
  return keep;
}

std::vector<std::uint8_t> best_rules(const PhraseTable& table, int score, int limit) {
  if (score < 0 || score >= table.scores_per_rule())
    throw OptionError("score " + std::to_string(score) + " of a table that has " +
                      std::to_string(table.scores_per_rule()));
  if (limit < 1) throw OptionError("limit " + std::to_string(limit) + ", expected at least 1");
  std::vector<std::uint8_t> keep(table.rules(), 1);
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < table.sources(); ++i) {
    const RuleRange range = table.rules_of(i);
    if (range.end - range.begin <= static_cast<std::uint64_t>(limit)) continue;
    order.resize(range.end - range.begin);
    std::iota(order.begin(), order.end(), range.begin);
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
      return table.scores(a)[score] > table.scores(b)[score];
    });
    for (std::size_t k = limit; k < order.size(); ++k) keep[order[k]] = 0;
  }
  return keep;
}

Significance::Significance(std::uint64_t sentences) : log_factorial_(sentences + 1) {
  long double sum = 0;
  for (std::uint64_t n = 1; n <= sentences; ++n) {
    sum += std::log(static_cast<long double>(n));
    log_factorial_[n] = static_cast<double>(sum);
  }
}

double Significance::operator()(std::uint64_t joint, std::uint64_t source,
                                std::uint64_t target) const {
  const std::uint64_t total = log_factorial_.size() - 1;
  const std::uint64_t least = source + target > total ? source + target - total : 0;
  if (joint <= least) return 0.0;  // it cannot be less
  const std::uint64_t most = std::min(source, target);
  // p(joint), then the ratios p(k + 1) / p(k) of the hypergeometric distribution.
  const double first = log_choose(source, joint) + log_choose(total - source, target - joint) -
                       log_choose(total, target);
  double sum = 1.0, term = 1.0;
  for (std::uint64_t k = joint; k < most; ++k) {
    const double ratio =
        static_cast<double>(source - k) * static_cast<double>(target - k) /
        (static_cast<double>(k + 1) * static_cast<double>(total - source - target + k + 1));
    term *= ratio;
    sum += term;
    if (ratio < 1.0 && term < 1e-17 * sum) break;
    if (!std::isfinite(sum)) return 0.0;  // far below the mode: as good as certain
  }
  return std::max(0.0, -(first + std::log(sum)));
}

std::vector<double> rule_significance(const PhraseTable& table, const CodedText& source,
                                      const CodedText& target, int threads) {
  source.check();
  target.check();
  if (source.sentences() != target.sentences())
    throw OptionError("the sides of the text have " + std::to_string(source.sentences()) + " and " +
                      std::to_string(target.sentences()) + " sentences");
  if (source.sentences() >= PhraseNumbers::kMissing)
    throw OptionError("a text of more than 4,294,967,294 sentence pairs");
  std::size_t source_length = 0, target_length = 0;
  for (std::uint64_t i = 0; i < table.sources(); ++i)
    source_length = std::max(source_length, table.source(i).size());
  std::vector<std::uint64_t> target_keys(table.rules());
  for (std::uint64_t rule = 0; rule < table.rules(); ++rule) {
    target_keys[rule] = phrase_key(table.target(rule));
    target_length = std::max(target_length, table.target(rule).size());
  }
  std::sort(target_keys.begin(), target_keys.end());
  target_keys.erase(std::unique(target_keys.begin(), target_keys.end()), target_keys.end());
  const PhraseNumbers source_numbers(table.keys()), target_numbers(target_keys);
  const Occurrences sources(source, table.source_vocabulary(), source_length, source_numbers);
  const Occurrences targets(target, table.target_vocabulary(), target_length, target_numbers);
  const Significance significance(source.sentences());
  std::vector<double> out(table.rules(), 0.0);
  engine::parallel_for(table.sources(), threads, [&](std::size_t i) {
    const auto at = sources.of(static_cast<std::uint32_t>(i));
    const RuleRange range = table.rules_of(i);
    for (std::uint64_t rule = range.begin; rule < range.end; ++rule) {
      const auto other = targets.of(target_numbers.find(phrase_key(table.target(rule))));
      const std::uint64_t joint = shared(at, other);
      if (joint > 0) out[rule] = significance(joint, at.size(), other.size());
    }
  });
  return out;
}

void write_kept_rules(const PhraseTable& table, std::span<const std::uint8_t> keep,
                      const std::string& path, std::string_view meta) {
  if (keep.size() != table.rules())
    throw OptionError(std::to_string(keep.size()) + " flags for " + std::to_string(table.rules()) +
                      " rules");
  PhraseTableWriter writer(path, table.scores_per_rule(), table.reordering_per_rule());
  each_source(table, [&](std::uint64_t i) {
    const RuleRange range = table.rules_of(i);
    bool first = true;
    for (std::uint64_t rule = range.begin; rule < range.end; ++rule) {
      if (keep[rule] == 0) continue;
      if (first) writer.add_source(table.key(i), table.source(i));
      first = false;
      RuleData data;
      data.target = table.target(rule);
      data.scores = {table.scores(rule), static_cast<std::size_t>(table.scores_per_rule())};
      data.links = table.links(rule);
      std::copy_n(table.counts(rule), 3, data.counts);
      if (table.reordering_per_rule() > 0)
        data.reordering = {table.reordering(rule),
                           static_cast<std::size_t>(table.reordering_per_rule())};
      writer.add_rule(data);
    }
  });
  writer.finish(table.source_vocabulary(), table.target_vocabulary(), meta);
}

}  // namespace tunesmith::grammar
