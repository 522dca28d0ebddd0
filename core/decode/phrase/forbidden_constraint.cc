#include "decode/phrase/forbidden_constraint.hh"

#include <string_view>

namespace tunesmith::decode {

std::span<const PreparedRule> ForbiddenConstraint::at(int begin, int length, std::uint32_t state,
                                                      bool /*last*/) {
  const auto rules = options_.at(begin, length);
  if (state == ForbiddenPhrases::kStart || rules.empty()) return rules;
  const auto cell = static_cast<std::uint64_t>(begin * options_.max_length() + length - 1);
  const auto [place, is_new] = allowed_.try_emplace(cell << 32 | state);
  if (is_new)
    for (const PreparedRule& rule : rules)
      if (after(state, rule) != ForbiddenPhrases::kRefused) place->second.push_back(rule);
  return place->second;
}

std::uint32_t ForbiddenConstraint::after(std::uint32_t state, const PreparedRule& rule) const {
  std::vector<std::string_view> words;
  append_words(model_, rule, words);
  const bool prescribed = rule.literal != nullptr && rule.unknown == 0;
  for (const std::string_view word : words) {
    state = forbidden_.after(state, forbidden_.word(word), prescribed);
    if (state == ForbiddenPhrases::kRefused) break;
  }
  return state;
}

}  // namespace tunesmith::decode
