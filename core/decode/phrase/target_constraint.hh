// A prescribed translation: which rules of a span may come at which of its words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/phrase/rule_constraint.hh"

namespace tunesmith::decode {

class TargetConstraint final : public RuleConstraint {
 public:
  // Looks up every rule of `options` at every position of `target` once.
  TargetConstraint(const PhraseModel& model, const PhraseOptions& options,
                   const std::vector<std::string>& target);

  // Rules whose words are those of the target from `position` on; the last phrase must end where
  // the target ends.
  std::span<const PreparedRule> at(int begin, int length, std::uint32_t position,
                                   bool last) override;
  std::uint32_t after(std::uint32_t position, const PreparedRule& rule) const override {
    return position + static_cast<std::uint32_t>(rule.target_size);
  }
  bool allows_nothing() const override { return size_ == 0; }

 private:
  std::uint64_t cell(int begin, int length, std::uint64_t position) const {
    return (begin * max_length_ + length - 1) * (size_ + std::uint64_t{1}) + position;
  }

  using Cells = std::unordered_map<std::uint64_t, std::vector<PreparedRule>>;

  std::uint32_t size_;
  std::uint64_t max_length_;
  Cells rules_, to_end_;
};

}  // namespace tunesmith::decode
