#include "decode/rule_filter.hh"

#include <algorithm>

#include "grammar/extract.hh"

namespace tunesmith {
namespace {

std::vector<std::uint32_t> ids_of(const StringIndex& vocabulary,
                                  const std::vector<std::string>& words) {
  std::vector<std::uint32_t> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(vocabulary.find(word));
  return ids;
}

}  // namespace

RuleFilter::RuleFilter(LeaveOut mode, const PhraseModel& model,
                       const std::vector<std::string>& source,
                       const std::vector<std::string>& target,
                       std::span<const std::pair<std::uint32_t, std::uint32_t>> links,
                       bool has_links)
    : mode_(mode), model_(&model), has_links_(has_links) {
  if (mode != LeaveOut::kOwn) return;
  std::vector<PhrasePair> extracted;
  if (has_links) {
    std::vector<std::uint32_t> from, to;
    for (const auto& [s, t] : links) {
      from.push_back(s);
      to.push_back(t);
    }
    ExtractionOptions options;
    options.max_source_length = options.max_target_length = kMaxExtractedLength;
    PhraseExtractor(options).extract(static_cast<int>(source.size()),
                                     static_cast<int>(target.size()), from, to, extracted);
  }
  for (int t = 0; t < model.tables(); ++t) {
    auto target_ids = ids_of(model.table(t).target_vocabulary(), target);
    if (!has_links) {
      targets_.push_back(std::move(target_ids));
      continue;
    }
    const auto source_ids = ids_of(model.table(t).source_vocabulary(), source);
    auto& keys = pairs_.emplace_back();
    for (const PhrasePair& pair : extracted)
      keys.push_back(hash_combine(
          phrase_key(std::span(source_ids).subspan(pair.source_begin, pair.source_length)),
          phrase_key(std::span(target_ids).subspan(pair.target_begin, pair.target_length))));
    std::sort(keys.begin(), keys.end());
  }
}

bool RuleFilter::leaves_out(int table, std::uint64_t source_key, std::uint64_t rule) const {
  if (mode_ == LeaveOut::kNothing) return false;
  if (!is_singleton(model_->table(table), rule)) return false;
  return mode_ == LeaveOut::kSingletons || is_own(table, source_key, rule);
}

bool RuleFilter::is_own(int table, std::uint64_t source_key, std::uint64_t rule) const {
  const auto words = model_->table(table).target(rule);
  if (has_links_)
    return std::binary_search(pairs_[table].begin(), pairs_[table].end(),
                              hash_combine(source_key, phrase_key(words)));
  const auto& target = targets_[table];
  return std::search(target.begin(), target.end(), words.begin(), words.end()) != target.end();
}

}  // namespace tunesmith
