// Forbidden phrases that begin in one rule and end in another; those inside of a rule are for the
// options to leave out.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "decode/forbidden_phrases.hh"
#include "decode/phrase/rule_constraint.hh"

namespace tunesmith::decode {

class ForbiddenConstraint final : public RuleConstraint {
 public:
  // What is given must outlive this.
  ForbiddenConstraint(const PhraseModel& model, const PhraseOptions& options,
                      const ForbiddenPhrases& forbidden)
      : model_(model), options_(options), forbidden_(forbidden) {}

  std::span<const PreparedRule> at(int begin, int length, std::uint32_t state, bool last) override;
  std::uint32_t after(std::uint32_t state, const PreparedRule& rule) const override;
  bool allows_nothing() const override { return true; }

 private:
  const PhraseModel& model_;
  const PhraseOptions& options_;
  const ForbiddenPhrases& forbidden_;
  std::unordered_map<std::uint64_t, std::vector<PreparedRule>> allowed_;  // by span and state
};

}  // namespace tunesmith::decode
