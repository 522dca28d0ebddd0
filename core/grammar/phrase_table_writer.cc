#include "grammar/phrase_table_writer.hh"

#include <utility>

#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

PhraseTableWriter::PhraseTableWriter(std::string path, int scores_per_rule, int reordering_per_rule)
    : path_(std::move(path)),
      score_count_(scores_per_rule),
      reordering_count_(reordering_per_rule),
      keys_(path_),
      rule_ends_(path_),
      source_ends_(path_),
      source_words_(path_),
      target_ends_(path_),
      target_words_(path_),
      link_ends_(path_),
      links_(path_),
      scores_(path_),
      counts_(path_),
      reordering_(path_) {}

void PhraseTableWriter::close_source() {
  if (sources_ > 0) rule_ends_.append(&rules_, sizeof rules_);
}

void PhraseTableWriter::add_source(std::uint64_t key, std::span<const std::uint32_t> words) {
  if (sources_ > 0 && key <= last_key_)
    throw Error("source phrases must come in ascending order of distinct keys");
  close_source();
  last_key_ = key;
  ++sources_;
  keys_.append(&key, sizeof key);
  source_words_.append(words.data(), words.size_bytes());
  source_end_ += words.size();
  source_ends_.append(&source_end_, sizeof source_end_);
}

void PhraseTableWriter::add_rule(const RuleData& rule) {
  if (rule.scores.size() != score_count_ || rule.reordering.size() != reordering_count_)
    throw Error("a rule with another number of scores than its table");
  ++rules_;
  target_words_.append(rule.target.data(), rule.target.size_bytes());
  target_end_ += rule.target.size();
  target_ends_.append(&target_end_, sizeof target_end_);
  links_.append(rule.links.data(), rule.links.size_bytes());
  link_end_ += rule.links.size();
  link_ends_.append(&link_end_, sizeof link_end_);
  scores_.append(rule.scores.data(), rule.scores.size_bytes());
  counts_.append(rule.counts, sizeof rule.counts);
  reordering_.append(rule.reordering.data(), rule.reordering.size_bytes());
}

void PhraseTableWriter::finish(const StringIndex& source_vocabulary,
                               const StringIndex& target_vocabulary, std::string_view meta) {
  close_source();
  ArrayFileWriter writer(path_, PhraseTable::kKind, PhraseTable::kVersion);
  writer.add_text("meta", meta);
  writer.add("sizes", std::vector<std::uint32_t>{score_count_, reordering_count_});
  writer.add("source_vocabulary", source_vocabulary.bytes());
  writer.add("source_vocabulary_ends", source_vocabulary.ends());
  writer.add("target_vocabulary", target_vocabulary.bytes());
  writer.add("target_vocabulary_ends", target_vocabulary.ends());
  const auto copy = [&](const char* name, std::string_view type, std::uint32_t item_size,
                        SpilledArray& array) {
    writer.begin(name, type, item_size);
    array.replay([&](const char* data, std::size_t bytes) { writer.append(data, bytes); });
    writer.end();
  };
  copy("source_keys", "u8", 8, keys_);
  copy("rule_ends", "u8", 8, rule_ends_);
  copy("source_ends", "u8", 8, source_ends_);
  copy("source_words", "u4", 4, source_words_);
  copy("target_ends", "u8", 8, target_ends_);
  copy("target_words", "u4", 4, target_words_);
  copy("link_ends", "u8", 8, link_ends_);
  copy("links", "u2", 2, links_);
  copy("scores", "f4", 4, scores_);
  copy("counts", "f4", 4, counts_);
  copy("reordering", "f4", 4, reordering_);
  writer.finish();
}

}  // namespace tunesmith::grammar
