#include "grammar/scfg/hiero_options.hh"

#include <string>

#include "base/error.hh"

namespace tunesmith::grammar {

void check(const HieroOptions& options) {
  const auto inside = [](const char* name, int value, int low, int high) {
    if (value < low || value > high)
      throw OptionError(std::string(name) + " is " + std::to_string(value) + ", expected " +
                        std::to_string(low) + " to " + std::to_string(high));
  };
  inside("max_span", options.max_span, 1, kMaxHieroSpan);
  inside("max_target_span", options.max_target_span, 1, kMaxHieroSpan);
  inside("max_input_span", options.max_input_span, 1, kMaxHieroSpan);
  inside("max_symbols", options.max_symbols, 1, kMaxHieroSymbols);
  inside("max_nonterminals", options.max_nonterminals, 0, kMaxNonterminals);
  inside("min_gap", options.min_gap, 1, kMaxHieroSpan);
  inside("samples", options.samples, 0, 1 << 30);
  inside("candidates", options.candidates, 0, 1 << 30);
  inside("frequent", options.frequent, 0, kMaxFrequentWords);
}

}  // namespace tunesmith::grammar
