#include "features/scfg/named_weights.hh"

#include <algorithm>
#include <bit>

#include "base/error.hh"
#include "base/weight_limit.hh"

namespace tunesmith::features {

NamedWeights::NamedWeights(const std::vector<std::string>& names, std::span<const double> values) {
  if (names.size() != values.size())
    throw OptionError(std::to_string(values.size()) + " weights for " +
                      std::to_string(names.size()) + " names");
  check_weights(values);
  const auto used = static_cast<std::size_t>(
      std::ranges::count_if(values, [](double value) { return value != 0.0; }));
  if (used == 0) return;
  slots_.resize(std::bit_ceil(2 * used));
  shift_ = 64 - std::countr_zero(slots_.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (values[i] == 0.0) continue;
    const std::uint64_t key = name_key(names[i]);
    std::size_t at = home(key);
    while (slots_[at].weight != 0.0) {
      if (slots_[at].key == key)
        throw OptionError("the name " + quoted(names[i]) + " stands for two features");
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = {key, values[i]};
  }
}

}  // namespace tunesmith::features
