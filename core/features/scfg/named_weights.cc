#include "features/scfg/named_weights.hh"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.hh"
#include "base/weight_limit.hh"

namespace tunesmith::features {

NamedWeights::NamedWeights(const std::vector<std::string>& names, std::span<const double> values) {
  if (names.size() != values.size())
    throw OptionError(std::to_string(values.size()) + " weights for " +
                      std::to_string(names.size()) + " names");
  check_weights(values);
  make_room(static_cast<std::size_t>(
      std::ranges::count_if(values, [](double value) { return value != 0.0; })));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (values[i] == 0.0) continue;
    const std::uint64_t key = name_key(names[i]);
    Slot& place = slot(key);
    if (place.key == key)
      throw OptionError("the name " + quoted(names[i]) + " stands for two features");
    place = {key, values[i]};
    ++used_;
  }
}

void NamedWeights::add(const std::vector<std::string>& names, std::span<const double> changes) {
  if (names.size() != changes.size())
    throw OptionError(std::to_string(changes.size()) + " changes for " +
                      std::to_string(names.size()) + " names");
  check_weights(changes);
  make_room(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t key = name_key(names[i]);
    Slot& place = slot(key);
    used_ += place.key == kFree;
    place = {key, place.weight + changes[i]};
  }
}

NamedWeights::Slot& NamedWeights::slot(std::uint64_t key) {
  std::size_t at = home(key);
  while (slots_[at].key != kFree && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void NamedWeights::make_room(std::size_t more) {
  if (more == 0 || 2 * (used_ + more) <= slots_.size()) return;
  std::vector<Slot> before = std::exchange(slots_, {});
  slots_.resize(std::bit_ceil(2 * (used_ + more)));
  shift_ = 64 - std::countr_zero(slots_.size());
  for (const Slot& one : before)
    if (one.key != kFree) slot(one.key) = one;
}

}  // namespace tunesmith::features
