#include "features/rule_templates.hh"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <map>

#include "base/error.hh"
#include "features/feature_names.hh"

namespace tunesmith::features {
namespace {

constexpr int kMaxPositions = 256;  // positions in links are bytes

// Shortest text that reads back as the number; whole numbers without exponent.
std::string number_text(double value) {
  if (std::isinf(value)) return "inf";
  char text[64];
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  const auto end = whole
                       ? std::to_chars(text, text + sizeof text, static_cast<long long>(value)).ptr
                       : std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// Word of a table's vocabulary → its place in a list, or the list's size.
class Places {
 public:
  explicit Places(std::vector<std::string> words) : words_(std::move(words)) {
    auto sorted = words_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) throw OptionError("word " + quoted(*twice) + " twice in a list");
  }
  void begin(const StringIndex& vocabulary) {
    place_.assign(vocabulary.size() + std::size_t{1}, size());
    for (std::uint32_t i = 0; i < size(); ++i) {
      const std::uint32_t id = vocabulary.find(words_[i]);
      if (id != StringIndex::kMissing) place_[id] = i;
    }
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  std::uint32_t operator[](std::uint32_t word) const { return place_[word]; }
  const std::string& word(std::uint32_t place) const { return words_[place]; }

 private:
  std::vector<std::string> words_;
  std::vector<std::uint32_t> place_;
};

class TargetUnaligned final : public RuleTemplate {
 public:
  explicit TargetUnaligned(std::vector<std::string> words) : places_(std::move(words)) {}
  void begin(const StringIndex& /*source*/, const StringIndex& target) override {
    places_.begin(target);
  }
  void fire(const RuleView& rule, std::vector<Firing>& out) const override {
    bool linked[kMaxPositions] = {};
    for (const std::uint16_t link : rule.links) linked[link & 0xFF] = true;
    for (std::size_t j = 0; j < rule.target.size() && j < kMaxPositions; ++j) {
      const std::uint32_t place = places_[rule.target[j]];
      if (!linked[j] && place < places_.size()) out.push_back({place});
    }
  }
  std::string name(std::uint64_t key) const override {
    return "tgt_unal:" + name_part(places_.word(static_cast<std::uint32_t>(key)));
  }

 private:
  Places places_;
};

class CountBin final : public RuleTemplate {
 public:
  explicit CountBin(std::vector<double> bounds) : bounds_(std::move(bounds)) {
    for (std::size_t i = 0; i < bounds_.size(); ++i)
      if (!(bounds_[i] > (i == 0 ? 0.0 : bounds_[i - 1])))
        throw OptionError("bounds of count_bin must be above 0 and ascend");
  }
  void fire(const RuleView& rule, std::vector<Firing>& out) const override {
    const float count = rule.counts[2];
    if (!(count > 0.0F)) return;
    if (bounds_.empty()) {
      out.push_back({std::bit_cast<std::uint32_t>(count)});
      return;
    }
    const auto bin = std::lower_bound(bounds_.begin(), bounds_.end(), count) - bounds_.begin();
    if (bin < static_cast<std::ptrdiff_t>(bounds_.size()))
      out.push_back({static_cast<std::uint64_t>(bin)});
  }
  std::string name(std::uint64_t key) const override {
    return "count_bin:" + number_text(bounds_.empty()
                                          ? std::bit_cast<float>(static_cast<std::uint32_t>(key))
                                          : bounds_[key]);
  }

 private:
  std::vector<double> bounds_;
};

class WordPair final : public RuleTemplate {
 public:
  WordPair(std::vector<std::string> source, std::vector<std::string> target)
      : source_(std::move(source)), target_(std::move(target)) {}
  void begin(const StringIndex& source, const StringIndex& target) override {
    source_.begin(source);
    target_.begin(target);
  }
  void fire(const RuleView& rule, std::vector<Firing>& out) const override {
    int source_links[kMaxPositions] = {}, target_links[kMaxPositions] = {};
    int partner[kMaxPositions] = {};
    for (const std::uint16_t link : rule.links) {
      ++source_links[link >> 8];
      ++target_links[link & 0xFF];
      partner[link >> 8] = link & 0xFF;
    }
    bool paired[kMaxPositions] = {};
    for (std::size_t i = 0; i < rule.source.size() && i < kMaxPositions; ++i) {
      const std::uint32_t s = source_[rule.source[i]];
      const auto j = static_cast<std::size_t>(partner[i]);
      if (source_links[i] == 1 && target_links[j] == 1 && j < rule.target.size()) {
        const std::uint32_t t = target_[rule.target[j]];
        paired[j] = true;
        // Two words of no list are no feature.
        if (s < source_.size() || t < target_.size()) out.push_back({key(s, t)});
      } else if (s < source_.size()) {
        out.push_back({key(s, target_.size() + 1)});
      }
    }
    for (std::size_t j = 0; j < rule.target.size() && j < kMaxPositions; ++j) {
      const std::uint32_t t = target_[rule.target[j]];
      if (!paired[j] && t < target_.size()) out.push_back({key(source_.size() + 1, t)});
    }
  }
  std::string name(std::uint64_t key) const override {
    return "word_pair:" + part(source_, static_cast<std::uint32_t>(key >> 32)) + "_" +
           part(target_, static_cast<std::uint32_t>(key));
  }

 private:
  static std::uint64_t key(std::uint64_t s, std::uint64_t t) { return s << 32 | t; }
  static std::string part(const Places& places, std::uint32_t place) {
    if (place < places.size()) return name_part(places.word(place));
    return place == places.size() ? "<other>" : "<none>";
  }

  Places source_, target_;
};

class LengthBin final : public RuleTemplate {
 public:
  void fire(const RuleView& rule, std::vector<Firing>& out) const override {
    const std::uint64_t s = rule.source.size() + 1, t = rule.target.size() + 1;
    for (const std::uint64_t key : {s << 32, t, s << 32 | t}) out.push_back({key});
  }
  std::string name(std::uint64_t key) const override {
    const std::uint64_t s = key >> 32, t = key & 0xFFFFFFFF;
    if (t == 0) return "length_bin:src_" + std::to_string(s - 1);
    if (s == 0) return "length_bin:tgt_" + std::to_string(t - 1);
    return "length_bin:" + std::to_string(s - 1) + "_" + std::to_string(t - 1);
  }
};

}  // namespace

std::unique_ptr<RuleTemplate> target_unaligned(std::vector<std::string> words) {
  return std::make_unique<TargetUnaligned>(std::move(words));
}
std::unique_ptr<RuleTemplate> count_bin(std::vector<double> bounds) {
  return std::make_unique<CountBin>(std::move(bounds));
}
std::unique_ptr<RuleTemplate> word_pair(std::vector<std::string> source_words,
                                        std::vector<std::string> target_words) {
  return std::make_unique<WordPair>(std::move(source_words), std::move(target_words));
}
std::unique_ptr<RuleTemplate> length_bin() { return std::make_unique<LengthBin>(); }

std::vector<std::string> frequent_words(std::span<const grammar::PhraseTable* const> tables,
                                        WordKind kind, std::size_t size) {
  std::map<std::string, double> totals;
  for (const grammar::PhraseTable* table : tables) {
    const StringIndex& vocabulary =
        kind == WordKind::kSource ? table->source_vocabulary() : table->target_vocabulary();
    std::vector<double> counts(vocabulary.size(), 0.0);
    for (std::uint64_t source = 0; source < table->sources(); ++source) {
      const grammar::RuleRange range = table->rules_of(source);
      for (std::uint64_t rule = range.begin; rule < range.end; ++rule) {
        const float joint = table->counts(rule)[2];
        const double count = joint > 0.0F ? joint : 1.0;
        bool linked[kMaxPositions] = {};
        if (kind == WordKind::kUnalignedTarget)
          for (const std::uint16_t link : table->links(rule)) linked[link & 0xFF] = true;
        const auto words = kind == WordKind::kSource ? table->source(source) : table->target(rule);
        for (std::size_t j = 0; j < words.size(); ++j)
          if (j >= kMaxPositions || !linked[j]) counts[words[j]] += count;
      }
    }
    for (std::uint32_t word = 0; word < vocabulary.size(); ++word)
      if (counts[word] > 0) totals[std::string(vocabulary.text(word))] += counts[word];
  }
  std::vector<std::pair<std::string, double>> ranked(totals.begin(), totals.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> out;
  for (const auto& [word, count] : ranked)
    if (out.size() < size) out.push_back(word);
  return out;
}

}  // namespace tunesmith::features
