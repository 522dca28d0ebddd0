#include "features/lexical_templates.hh"

#include "base/hash.hh"

namespace tunesmith::features {
namespace {

// Starting points that keep the kinds of features apart.
constexpr std::uint64_t kRuleSeed = 0x72756c65ULL, kPairSeed = 0x70616972ULL,
                        kHistorySeed = 0x68697374ULL, kAtomSeed = 0x61746f6dULL;
constexpr int kMostAtoms = 64;

}  // namespace

LexicalTemplates::LexicalTemplates(LexicalOptions options)
    : options_(std::move(options)),
      levels_(static_cast<int>(options_.levels.size())),
      max_atoms_(options_.max_atoms == 0 ? kMaxAtoms : options_.max_atoms) {
  if (options_.levels.size() != options_.costs.size())
    throw OptionError("levels and costs of different number");
  if (max_atoms_ < 1 || max_atoms_ > kMaxAtoms)
    throw OptionError("combinations of " + std::to_string(options_.max_atoms) +
                      " words, expected 0 to " + std::to_string(kMaxAtoms));
  // The last atom is the length of the source phrase.
  if (kPlaces * levels_ + 1 > kMostAtoms) throw OptionError("more than 10 levels of words");
  for (int i = 0; i <= kPlaces * levels_; ++i)
    salts_.push_back(mix64(hash_combine(kAtomSeed, static_cast<std::uint64_t>(i))));
  nothing_.assign(levels_, 0x6e6f6e65ULL);
  if (options_.history)
    for (int level = 0; level < levels_; ++level)
      if (2 * options_.costs[level] <= options_.budget && has(kTargetLast, level))
        history_levels_.push_back(level);
  if (options_.edges) {
    Combination taken;
    enumerate(0, 0, taken);
  }
}

void LexicalTemplates::enumerate(int place, int cost, Combination& taken) {
  if (place == kPlaces) {
    for (const bool with_length : {false, true}) {
      Combination combination = taken;
      if (with_length) {
        if (combination.size == max_atoms_) continue;
        combination.atoms[combination.size++] = atom(kPlaces, 0);
      }
      if (combination.size == 0) continue;
      bool sees[kPlaces + 1] = {};  // the last is the length
      for (int i = 0; i < combination.size; ++i) sees[place_of(combination.atoms[i])] = true;
      const bool target = sees[kTargetFirst] || sees[kTargetLast];
      const bool context = sees[kBefore] || sees[kAfter];
      if (!target && !options_.source_edges) continue;
      Group& group = !context ? rule_ : target ? context_ : span_;
      group.combinations.push_back(combination);
      for (int i = 0; i < kPlaces; ++i) group.sees[i] = group.sees[i] || sees[i];
    }
    return;
  }
  enumerate(place + 1, cost, taken);
  if (taken.size == max_atoms_) return;
  for (int level = 0; level < levels_; ++level) {
    if (cost + options_.costs[level] > options_.budget || !has(place, level)) continue;
    taken.atoms[taken.size++] = atom(place, level);
    enumerate(place + 1, cost + options_.costs[level], taken);
    --taken.size;
  }
}

std::size_t LexicalTemplates::features_per_rule() const {
  return rule_.combinations.size() + span_.combinations.size() + context_.combinations.size() +
         (options_.rule_ids ? 1 : 0) + (options_.rule_pairs ? 1 : 0) + history_levels_.size();
}

std::vector<std::vector<LexicalTemplates::Atom>> LexicalTemplates::combinations(Part part) const {
  const Group& group = part == Part::kRule ? rule_ : part == Part::kSpan ? span_ : context_;
  std::vector<std::vector<Atom>> out;
  for (const Combination& combination : group.combinations) {
    auto& atoms = out.emplace_back();
    for (int i = 0; i < combination.size; ++i) {
      const int place = place_of(combination.atoms[i]);
      atoms.push_back({place, place == kPlaces ? 0 : combination.atoms[i] % levels_});
    }
  }
  return out;
}

void LexicalTemplates::add_keys(const Group& group, const RuleWords& rule,
                                const SpanContext& context,
                                std::vector<std::uint64_t>& keys) const {
  if (group.combinations.empty()) return;
  const std::uint64_t* const words[kPlaces] = {rule.source_first, rule.source_last,
                                               rule.target_first, rule.target_last,
                                               context.before,    context.after};
  std::uint64_t atoms[kMostAtoms];
  for (int place = 0; place < kPlaces; ++place) {
    if (!group.sees[place]) continue;
    const std::uint64_t* const word = words[place] == nullptr ? nothing_.data() : words[place];
    for (int level = 0; level < levels_; ++level)
      atoms[atom(place, level)] = mix64(word[level] + salts_[atom(place, level)]);
  }
  atoms[kPlaces * levels_] = mix64(rule.source_length + salts_.back());
  for (const Combination& combination : group.combinations) {
    std::uint64_t sum = atoms[combination.atoms[0]];
    for (int i = 1; i < combination.size; ++i) sum += atoms[combination.atoms[i]];
    keys.push_back(mix64(sum));
  }
}

void LexicalTemplates::rule_keys(const RuleWords& rule, std::vector<std::uint64_t>& keys) const {
  if (options_.rule_ids) keys.push_back(hash_combine(kRuleSeed, rule.id));
  add_keys(rule_, rule, {}, keys);
}

void LexicalTemplates::span_keys(const RuleWords& rule, const SpanContext& context,
                                 std::vector<std::uint64_t>& keys) const {
  add_keys(span_, rule, context, keys);
}

void LexicalTemplates::context_keys(const RuleWords& rule, const SpanContext& context,
                                    std::vector<std::uint64_t>& keys) const {
  add_keys(context_, rule, context, keys);
}

void LexicalTemplates::history_keys(const RuleWords& rule, std::uint64_t last_rule,
                                    const std::uint64_t* before, const std::uint64_t* last,
                                    std::vector<std::uint64_t>& keys) const {
  if (options_.rule_pairs)
    keys.push_back(hash_combine(hash_combine(kPairSeed, last_rule), rule.id));
  if (before == nullptr) before = nothing_.data();
  if (last == nullptr) last = nothing_.data();
  for (const int level : history_levels_) {
    const std::uint64_t words = hash_combine(
        hash_combine(kHistorySeed + static_cast<std::uint64_t>(level), before[level]), last[level]);
    keys.push_back(hash_combine(words, rule.id));
  }
}

}  // namespace tunesmith::features
