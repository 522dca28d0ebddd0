#include "grammar/moses_table.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hh"
#include "grammar/phrase_table.hh"
#include "grammar/phrase_table_writer.hh"
#include "grammar/table_text.hh"

namespace tunesmith::grammar {
namespace {

// Moses floors logarithms here, so that a probability of 0 stays usable.
constexpr float kFloor = -100.0F;

// Probabilities of a field as natural logarithms.
void append_logs(std::string_view field, std::uint32_t expected, const Place& place,
                 std::vector<float>& out) {
  std::uint32_t count = 0;
  each_word(field, [&](std::string_view word) {
    const double p = number(word, place);
    if (p < 0.0) throw InputError(place.path, place.line, quoted(word), "a probability");
    out.push_back(p > 0.0 ? std::max(kFloor, static_cast<float>(std::log(p))) : kFloor);
    ++count;
  });
  if (count != expected)
    throw InputError(place.path, place.line, std::to_string(count) + " scores",
                     std::to_string(expected), "compare num-features in moses.ini");
}

template <typename T>
std::span<const T> slice(const std::vector<T>& items, const std::vector<std::uint64_t>& ends,
                         std::uint64_t i) {
  const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
  return std::span<const T>(items).subspan(begin, ends[i] - begin);
}

}  // namespace

MosesTableImporter::MosesTableImporter(int scores_per_rule, int reordering_per_rule)
    : score_count_(scores_per_rule), reordering_count_(reordering_per_rule) {}

std::vector<std::uint32_t> MosesTableImporter::ids(StringIndex& vocabulary,
                                                   std::string_view words) {
  std::vector<std::uint32_t> out;
  each_word(words, [&](std::string_view word) { out.push_back(vocabulary.add(word)); });
  return out;
}

void MosesTableImporter::add_phrases(std::string_view lines, const std::string& path,
                                     std::uint64_t first_line) {
  each_line(lines, path, first_line, [&](std::string_view text, const Place& place) {
    const auto parts = fields(text);
    if (parts.size() < 3)
      throw InputError(path, place.line, std::to_string(parts.size()) + " fields",
                       "source ||| target ||| scores");
    const auto source = ids(source_vocabulary_, parts[0]);
    const auto target = ids(target_vocabulary_, parts[1]);
    if (source.empty()) throw InputError(path, place.line, "an empty source phrase", "words");
    const std::uint64_t key = phrase_key(source);
    const std::uint64_t pair = hash_combine(key, phrase_key(target));
    if (!rule_of_pair_.emplace(pair, keys_.size()).second)
      throw InputError(path, place.line, "the phrase pair " + quoted(text) + " for a second time",
                       "every pair once");
    keys_.push_back(key);
    source_words_.insert(source_words_.end(), source.begin(), source.end());
    source_ends_.push_back(source_words_.size());
    target_words_.insert(target_words_.end(), target.begin(), target.end());
    target_ends_.push_back(target_words_.size());
    append_logs(parts[2], score_count_, place, scores_);
    if (parts.size() > 3) append_links(parts[3], source.size(), target.size(), place, links_);
    link_ends_.push_back(links_.size());
    const std::size_t counts_begin = counts_.size();
    if (parts.size() > 4)
      each_word(parts[4], [&](std::string_view word) {
        counts_.push_back(static_cast<float>(number(word, place)));
      });
    counts_.resize(counts_begin + 3, 0.0F);
  });
}

void MosesTableImporter::add_reordering(std::string_view lines, const std::string& path,
                                        std::uint64_t first_line) {
  reordering_.resize(keys_.size() * reordering_count_, 0.0F);
  std::vector<float> values;
  each_line(lines, path, first_line, [&](std::string_view text, const Place& place) {
    const auto parts = fields(text);
    if (parts.size() < 3)
      throw InputError(path, place.line, std::to_string(parts.size()) + " fields",
                       "source ||| target ||| scores");
    const std::uint64_t key = phrase_key(ids(source_vocabulary_, parts[0]));
    const auto found =
        rule_of_pair_.find(hash_combine(key, phrase_key(ids(target_vocabulary_, parts[1]))));
    values.clear();
    append_logs(parts[2], reordering_count_, place, values);
    if (found == rule_of_pair_.end()) return;  // filtered out of the phrase table
    std::copy(values.begin(), values.end(),
              reordering_.begin() + found->second * reordering_count_);
  });
}

void MosesTableImporter::write(const std::string& path, std::string_view meta) const {
  std::vector<std::uint64_t> order(keys_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return keys_[a] < keys_[b]; });
  PhraseTableWriter writer(path, static_cast<int>(score_count_),
                           static_cast<int>(reordering_count_));
  const std::vector<float> no_reordering(reordering_count_, 0.0F);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t rule = order[i];
    if (i == 0 || keys_[rule] != keys_[order[i - 1]])
      writer.add_source(keys_[rule], slice(source_words_, source_ends_, rule));
    RuleData data;
    data.target = slice(target_words_, target_ends_, rule);
    data.scores = std::span(scores_).subspan(rule * score_count_, score_count_);
    data.links = slice(links_, link_ends_, rule);
    std::copy_n(&counts_[rule * 3], 3, data.counts);
    data.reordering =
        reordering_.empty()
            ? std::span<const float>(no_reordering)
            : std::span(reordering_).subspan(rule * reordering_count_, reordering_count_);
    writer.add_rule(data);
  }
  writer.finish(source_vocabulary_, target_vocabulary_, meta);
}

}  // namespace tunesmith::grammar
