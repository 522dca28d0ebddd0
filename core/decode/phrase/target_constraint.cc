#include "decode/phrase/target_constraint.hh"

#include <algorithm>
#include <string_view>

namespace tunesmith::decode {

TargetConstraint::TargetConstraint(const PhraseModel& model, const PhraseOptions& options,
                                   const std::vector<std::string>& target)
    : size_(static_cast<std::uint32_t>(target.size())), max_length_(options.max_length()) {
  // Where a phrase may begin, by its first word; a phrase without words may come anywhere.
  std::unordered_map<std::string_view, std::vector<std::size_t>> begins;
  std::vector<std::size_t> anywhere;
  for (std::size_t at = 0; at <= target.size(); ++at) {
    anywhere.push_back(at);
    if (at < target.size()) begins[target[at]].push_back(at);
  }
  std::vector<std::string_view> words;
  const auto look_for = [&](const PreparedRule& rule, int begin, int length) {
    words.clear();
    append_words(model, rule, words);
    const auto found = words.empty() ? begins.end() : begins.find(words.front());
    if (!words.empty() && found == begins.end()) return;
    for (const std::size_t at : words.empty() ? anywhere : found->second) {
      if (at + words.size() > target.size() ||
          !std::equal(words.begin(), words.end(), target.begin() + static_cast<std::ptrdiff_t>(at)))
        continue;
      rules_[cell(begin, length, at)].push_back(rule);
      if (at + words.size() == target.size()) to_end_[cell(begin, length, at)].push_back(rule);
    }
  };
  for (int begin = 0; begin < options.words(); ++begin)
    for (int length = 1; length <= std::min(options.max_length(), options.words() - begin);
         ++length)
      for (const PreparedRule& rule : options.at(begin, length)) look_for(rule, begin, length);
}

std::span<const PreparedRule> TargetConstraint::at(int begin, int length, std::uint32_t position,
                                                   bool last) {
  const Cells& cells = last ? to_end_ : rules_;
  const auto found = cells.find(cell(begin, length, position));
  return found == cells.end() ? std::span<const PreparedRule>()
                              : std::span<const PreparedRule>(found->second);
}

}  // namespace tunesmith::decode
