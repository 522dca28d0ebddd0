#include "grammar/phrase_table.hh"

#include <cmath>
#include <functional>

namespace tunesmith::grammar {
namespace {

// Of the largest number that has a double.
constexpr float kHighestLog = 709.7827F;

}  // namespace

PhraseTable::PhraseTable(const std::string& path)
    : file_(path, kKind, kVersion),
      source_vocabulary_(StringIndex::read(file_, "source_vocabulary", "source_vocabulary_ends")),
      target_vocabulary_(StringIndex::read(file_, "target_vocabulary", "target_vocabulary_ends")),
      keys_(file_.checked<std::uint64_t>("source_keys")),
      rule_ends_(file_.checked<std::uint64_t>("rule_ends")),
      sources_{file_.checked<std::uint32_t>("source_words"),
               file_.checked<std::uint64_t>("source_ends")},
      targets_{file_.checked<std::uint32_t>("target_words"),
               file_.checked<std::uint64_t>("target_ends")},
      links_{file_.checked<std::uint16_t>("links"), file_.checked<std::uint64_t>("link_ends")},
      scores_(file_.checked<float>("scores")),
      counts_(file_.checked<float>("counts")),
      reordering_(file_.checked<float>("reordering")) {
  const auto sizes = file_.array<std::uint32_t>("sizes");
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(path, 0, "arrays of the phrase table do not fit together",
                       "a whole phrase table", "make it again");
  };
  whole(sizes.size() == 2 && sizes[0] <= 1024 && sizes[1] <= 1024);
  score_count_ = static_cast<int>(sizes[0]);
  reordering_count_ = static_cast<int>(sizes[1]);
  keys_.expect_neighbours(std::less());
  for (CheckedArray<std::uint64_t>* ends :
       {&rule_ends_, &sources_.ends, &targets_.ends, &links_.ends})
    ends->expect_neighbours(std::less_equal());
  for (CheckedArray<float>* logs : {&scores_, &reordering_})
    logs->expect_each([](float log) { return std::isfinite(log) && log < kHighestLog; });
  counts_.expect_each([](float count) { return std::isfinite(count); });
  sources_.items.expect_each(
      [size = source_vocabulary_.size()](std::uint32_t word) { return word < size; });
  targets_.items.expect_each(
      [size = target_vocabulary_.size()](std::uint32_t word) { return word < size; });
  const std::uint64_t rule_total = rules();
  whole(rule_total < 0xFFFFFFFFULL);  // decoders count rules in 32 bits
  whole(rule_ends_.size() == sources() && sources_.size() == sources());
  whole(links_.size() == rule_total && scores_.size() == rule_total * score_count_ &&
        counts_.size() == rule_total * 3 && reordering_.size() == rule_total * reordering_count_);
  whole((sources() == 0 ? 0 : rule_ends_.back()) == rule_total);
  whole(sources_.fit() && targets_.fit() && links_.fit());
}

}  // namespace tunesmith::grammar
