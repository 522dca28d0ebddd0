#include "grammar/scfg/hiero_index.hh"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tunesmith::grammar {
namespace {

SuffixText suffix_text(const ArrayFile& file, const std::string& side) {
  return {file.checked<std::uint32_t>(side + "_text"),
          file.checked<std::uint32_t>(side + "_begins"),
          file.checked<std::uint32_t>(side + "_suffixes"),
          file.checked<std::uint32_t>(side + "_first")};
}

bool is_probability(float p) { return p >= 0.0F && p <= 1.0F; }

}  // namespace

std::array<std::int32_t, kHieroOptionNumbers> numbers_of(const HieroOptions& options) {
  return {options.max_span,         options.max_target_span,
          options.max_input_span,   options.max_symbols,
          options.max_nonterminals, options.min_gap,
          options.tight ? 1 : 0,    options.deletions ? 1 : 0,
          options.samples,          options.candidates,
          options.frequent,         static_cast<std::int32_t>(options.smoothing)};
}

HieroOptions options_of(std::span<const std::int32_t> numbers) {
  const auto one_of = [&](int i, int most) { return numbers[i] >= 0 && numbers[i] <= most; };
  if (numbers.size() != kHieroOptionNumbers || !one_of(6, 1) || !one_of(7, 1) ||
      !one_of(11, static_cast<int>(CountSmoothing::kKneserNey)))
    throw OptionError("options that are none");
  HieroOptions options;
  options.max_span = numbers[0];
  options.max_target_span = numbers[1];
  options.max_input_span = numbers[2];
  options.max_symbols = numbers[3];
  options.max_nonterminals = numbers[4];
  options.min_gap = numbers[5];
  options.tight = numbers[6] != 0;
  options.deletions = numbers[7] != 0;
  options.samples = numbers[8];
  options.candidates = numbers[9];
  options.frequent = numbers[10];
  options.smoothing = static_cast<CountSmoothing>(numbers[11]);
  check(options);
  return options;
}

HieroIndex::HieroIndex(const std::string& path)
    : file_(path, kKind, kVersion),
      source_words_(StringIndex::read(file_, "source_vocabulary", "source_vocabulary_ends")),
      target_words_(StringIndex::read(file_, "target_vocabulary", "target_vocabulary_ends")),
      source_(suffix_text(file_, "source")),
      target_(suffix_text(file_, "target")),
      sentence_of_(file_.checked<std::uint32_t>("sentence_of")),
      link_ends_(file_.checked<std::uint32_t>("link_ends")),
      links_(file_.checked<std::uint16_t>("links")),
      source_links_(file_.checked<LinkRange>("source_links")),
      target_links_(file_.checked<LinkRange>("target_links")),
      lexicon_ends_(file_.checked<std::uint32_t>("lexicon_ends")),
      lexicon_targets_(file_.checked<std::uint32_t>("lexicon_targets")),
      lexicon_(file_.checked<WordPair>("lexicon")),
      target_given_null_(file_.checked<float>("target_given_null")),
      source_given_null_(file_.checked<float>("source_given_null")),
      collocation_ends_(file_.checked<std::uint64_t>("collocation_ends")),
      collocation_totals_(file_.checked<std::uint64_t>("collocation_totals")),
      collocation_begins_(file_.checked<std::uint32_t>("collocation_begins")),
      collocation_seconds_(file_.checked<std::uint8_t>("collocation_seconds")) {
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(path, 0, "arrays of the index do not fit together", "a whole index",
                       "make it again");
  };
  try {
    options_ = options_of(file_.array<std::int32_t>("options"));
  } catch (const OptionError& error) {
    throw InputError(path, 0, error.what(), "options of an index", "make it again");
  }
  const auto counts = file_.array<std::uint64_t>("counts_of_counts");
  whole(counts.size() == CountsOfCounts::kLargest + 1);
  counts_of_counts_ = CountsOfCounts(counts.first<CountsOfCounts::kLargest + 1>());
  if (file_.has("corpora") || file_.has("origins")) {
    const auto corpora = file_.array<std::int32_t>("corpora");
    origins_ = file_.checked<std::uint8_t>("origins");
    whole(corpora.size() == 1 && corpora[0] > 1 && corpora[0] <= 0xFF &&
          origins_.size() == source_.sentences());
    corpora_ = corpora[0];
    origins_.expect_each([most = corpora_](std::uint8_t origin) { return origin < most; });
  }
  const auto frequent = file_.array<std::uint32_t>("frequent");
  frequent_.assign(frequent.begin(), frequent.end());
  whole(source_.fits(source_words_.size()) && target_.fits(target_words_.size()));
  whole(source_.sentences() == target_.sentences());
  sentence_of_.expect_each(
      [size = source_.sentences()](std::uint32_t sentence) { return sentence < size; });
  for (CheckedArray<std::uint32_t>* ends : {&link_ends_, &lexicon_ends_})
    ends->expect_neighbours(std::less_equal());
  lexicon_.expect_each([](const WordPair& pair) {
    return is_probability(pair.target_given_source) && is_probability(pair.source_given_target);
  });
  for (CheckedArray<float>* null : {&target_given_null_, &source_given_null_})
    null->expect_each(is_probability);
  collocation_ends_.expect_neighbours(std::less_equal());
  collocation_begins_.expect_each(
      [size = source_.words.size()](std::uint32_t place) { return place < size; });
  whole(sentence_of_.size() == source_.words.size() && link_ends_.size() == source_.words.size() &&
        (link_ends_.empty() ? 0 : link_ends_.back()) == links_.size() &&
        source_links_.size() == source_.words.size() &&
        target_links_.size() == target_.words.size());
  whole(lexicon_ends_.size() == source_words_.size() &&
        (lexicon_ends_.empty() ? 0 : lexicon_ends_.back()) == lexicon_.size() &&
        lexicon_targets_.size() == lexicon_.size() &&
        target_given_null_.size() == target_words_.size() &&
        source_given_null_.size() == source_words_.size());
  whole(frequent_.size() <= kMaxFrequentWords &&
        std::is_sorted(frequent_.begin(), frequent_.end(), std::less_equal()) &&
        collocation_ends_.size() == frequent_.size() * frequent_.size() &&
        collocation_totals_.size() == collocation_ends_.size() &&
        (collocation_ends_.empty() ? 0 : collocation_ends_.back()) == collocation_begins_.size() &&
        collocation_seconds_.size() == collocation_begins_.size());
}

void HieroIndex::prefetch_begins(std::uint32_t place) const {
  const std::uint32_t s = sentence_of_[place];
  prefetch_item(source_.begins, s);
  prefetch_item(target_.begins, s);
  prefetch_item(source_links_, place);
  prefetch_item(link_ends_, place);
}

void HieroIndex::prefetch_target(std::uint32_t place) const {
  const std::uint32_t s = sentence_of_[place];
  const std::size_t near = std::size_t{target_.begins[s]} + place - source_.begins[s];
  prefetch_item(target_links_, near);
  prefetch_item(target_.words, near);
}

HieroIndex::WordPair HieroIndex::word_pair(std::uint32_t source, std::uint32_t target) const {
  const std::uint64_t begin = source == 0 ? 0 : lexicon_ends_[source - 1];
  const auto targets = lexicon_targets_.slice(begin, lexicon_ends_[source]);
  const auto found = std::lower_bound(targets.begin(), targets.end(), target);
  if (found == targets.end() || *found != target) return {};
  return lexicon_[begin + static_cast<std::uint64_t>(found - targets.begin())];
}

HieroIndex::Collocations HieroIndex::collocations(std::uint32_t left, std::uint32_t right) const {
  const auto place = [&](std::uint32_t word) {
    const auto found = std::lower_bound(frequent_.begin(), frequent_.end(), word);
    return found != frequent_.end() && *found == word
               ? static_cast<std::size_t>(found - frequent_.begin())
               : frequent_.size();
  };
  const std::size_t l = place(left), r = place(right);
  if (l == frequent_.size() || r == frequent_.size()) return {};
  const std::size_t row = l * frequent_.size() + r;
  const std::uint64_t begin = row == 0 ? 0 : collocation_ends_[row - 1];
  const std::uint64_t end = collocation_ends_[row], total = collocation_totals_[row];
  if (total < end - begin || (end == begin && total > 0)) collocation_totals_.refuse();
  const double weight =
      end == begin ? 1.0 : static_cast<double>(total) / static_cast<double>(end - begin);
  return {true, collocation_begins_.slice(begin, end), collocation_seconds_.slice(begin, end),
          weight};
}

}  // namespace tunesmith::grammar
