#include "grammar/phrase_table.hh"

namespace tunesmith {
namespace {

StringIndex read_vocabulary(const ArrayFile& file, const std::string& side) {
  const auto bytes = file.array<char>(side + "_vocabulary");
  const auto ends = file.array<std::uint64_t>(side + "_vocabulary_ends");
  StringIndex index;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end < begin || end > bytes.size())
      throw InputError(file.path(), 0, "broken " + side + " vocabulary", "a whole phrase table");
    index.add({bytes.data() + begin, end - begin});
    begin = end;
  }
  if (index.size() != ends.size())
    throw InputError(file.path(), 0, "repeated words in the " + side + " vocabulary",
                     "a whole phrase table");
  return index;
}

}  // namespace

PhraseTable::PhraseTable(const std::string& path)
    : file_(path, kKind, kVersion),
      source_vocabulary_(read_vocabulary(file_, "source")),
      target_vocabulary_(read_vocabulary(file_, "target")),
      keys_(file_.array<std::uint64_t>("source_keys")),
      rule_ends_(file_.array<std::uint64_t>("rule_ends")),
      source_ends_(file_.array<std::uint64_t>("source_ends")),
      target_ends_(file_.array<std::uint64_t>("target_ends")),
      link_ends_(file_.array<std::uint64_t>("link_ends")),
      source_words_(file_.array<std::uint32_t>("source_words")),
      target_words_(file_.array<std::uint32_t>("target_words")),
      links_(file_.array<std::uint16_t>("links")),
      scores_(file_.array<float>("scores")),
      counts_(file_.array<float>("counts")),
      reordering_(file_.array<float>("reordering")) {
  const auto sizes = file_.array<std::uint32_t>("sizes");
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(path, 0, "arrays of the phrase table do not fit together",
                       "a whole phrase table", "make it again");
  };
  whole(sizes.size() == 2 && sizes[0] <= 1024 && sizes[1] <= 1024);
  score_count_ = static_cast<int>(sizes[0]);
  reordering_count_ = static_cast<int>(sizes[1]);
  const std::uint64_t rule_total = rules();
  whole(rule_ends_.size() == sources() && source_ends_.size() == sources());
  whole(link_ends_.size() == rule_total && scores_.size() == rule_total * score_count_ &&
        counts_.size() == rule_total * 3 && reordering_.size() == rule_total * reordering_count_);
  whole((sources() == 0 ? 0 : rule_ends_.back()) == rule_total);
  whole((sources() == 0 ? 0 : source_ends_.back()) == source_words_.size());
  whole((rule_total == 0 ? 0 : target_ends_.back()) == target_words_.size());
  whole((rule_total == 0 ? 0 : link_ends_.back()) == links_.size());
}

void PhraseTable::verify() const {
  file_.verify();
  const auto all_below = [](std::span<const std::uint32_t> words, std::uint32_t size) {
    return std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return word < size; });
  };
  bool good = std::is_sorted(keys_.begin(), keys_.end()) &&
              all_below(source_words_, source_vocabulary_.size()) &&
              all_below(target_words_, target_vocabulary_.size());
  for (const auto& ends : {rule_ends_, source_ends_, target_ends_, link_ends_})
    good = good && std::is_sorted(ends.begin(), ends.end());
  if (!good)
    throw InputError(path(), 0, "indices of the phrase table that lead outside",
                     "a whole phrase table", "make it again");
}

}  // namespace tunesmith
