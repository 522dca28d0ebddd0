#include "decode/rule_filter.hh"

#include <algorithm>

#include "grammar/extract.hh"

namespace tunesmith::decode {
namespace {

std::vector<std::uint32_t> ids_of(const StringIndex& vocabulary,
                                  const std::vector<std::string>& words) {
  std::vector<std::uint32_t> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(vocabulary.find(word));
  return ids;
}

std::vector<grammar::PhrasePair> extracted_pairs(const TrainingPair& pair, const PairLinks& links) {
  std::vector<std::uint32_t> from, to;
  for (const auto& [s, t] : links) {
    from.push_back(s);
    to.push_back(t);
  }
  grammar::ExtractionOptions options;
  options.max_source_length = options.max_target_length = grammar::kMaxExtractedLength;
  std::vector<grammar::PhrasePair> extracted;
  grammar::PhraseExtractor(options).extract(static_cast<int>(pair.source.size()),
                                            static_cast<int>(pair.target.size()), from, to,
                                            extracted);
  return extracted;
}

}  // namespace

RuleFilter::RuleFilter(LeaveOut mode, const PhraseModel& model, const TrainingPair& pair)
    : mode_(mode), model_(&model) {
  if (mode != LeaveOut::kOwn) return;
  for (int t = 0; t < model.tables(); ++t) {
    Table& own = tables_.emplace_back();
    own.has_links = !pair.links.empty() && pair.links[t].has_value();
    own.target = ids_of(model.table(t).target_vocabulary(), pair.target);
    if (!own.has_links) continue;
    const auto source = ids_of(model.table(t).source_vocabulary(), pair.source);
    for (const grammar::PhrasePair& phrase : extracted_pairs(pair, *pair.links[t]))
      own.pairs.push_back(hash_combine(
          grammar::phrase_key(std::span(source).subspan(phrase.source_begin, phrase.source_length)),
          grammar::phrase_key(
              std::span(own.target).subspan(phrase.target_begin, phrase.target_length))));
    std::sort(own.pairs.begin(), own.pairs.end());
  }
}

bool RuleFilter::leaves_out(int table, std::uint64_t source_key, std::uint64_t rule) const {
  if (mode_ == LeaveOut::kNothing) return false;
  if (is_singleton(model_->table(table), rule) &&
      (mode_ == LeaveOut::kSingletons || is_own(table, source_key, rule)))
    return true;
  return model_->recounted(table) && leaves_out_twin(table, rule, 0);
}

bool RuleFilter::leaves_out_twin(int table, std::uint64_t rule, int other) const {
  if (mode_ == LeaveOut::kNothing) return false;
  const std::uint32_t twin = model_->twin(table, rule, other);
  if (twin == grammar::kNoRule) return false;
  const grammar::PhraseTable& there = model_->table(other);
  return leaves_out(other, there.key(there.source_of(twin)), twin);
}

bool RuleFilter::is_own(int table, std::uint64_t source_key, std::uint64_t rule) const {
  const auto words = model_->table(table).target(rule);
  const Table& own = tables_[table];
  if (own.has_links)
    return std::binary_search(own.pairs.begin(), own.pairs.end(),
                              hash_combine(source_key, grammar::phrase_key(words)));
  return std::search(own.target.begin(), own.target.end(), words.begin(), words.end()) !=
         own.target.end();
}

}  // namespace tunesmith::decode
