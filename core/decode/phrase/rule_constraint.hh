// What is demanded of a translation as a whole: which rules may come next, by a state that says all
// about the words so far.
#pragma once

#include <cstdint>
#include <span>

#include "decode/phrase/phrase_options.hh"

namespace tunesmith::decode {

class RuleConstraint {
 public:
  virtual ~RuleConstraint() = default;
  // Rules for the source words [begin, begin + length) that may come in a state, best estimate
  // first; `last`: nothing comes behind them. State 0 is that of no words.
  virtual std::span<const PreparedRule> at(int begin, int length, std::uint32_t state,
                                           bool last) = 0;
  // The state behind a rule that `at` gave.
  virtual std::uint32_t after(std::uint32_t state, const PreparedRule& rule) const = 0;
  // Whether a sentence of no words has a translation.
  virtual bool allows_nothing() const = 0;
};

}  // namespace tunesmith::decode
