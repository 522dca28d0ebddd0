#include "reorder/maxent_model.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hh"

namespace tunesmith::reorder {
namespace {

constexpr std::size_t kShapeSize = 5;

[[noreturn]] void refuse(const ArrayFile& file, const std::string& found) {
  throw InputError(file.path(), 0, found, "a whole reordering model", "train it again");
}

std::span<const std::uint32_t> shape_of(const ArrayFile& file) {
  const auto shape = file.array<std::uint32_t>("shape");
  if (shape.size() != kShapeSize || shape[0] < 3 || shape[0] > 4 ||
      std::any_of(shape.begin() + 1, shape.begin() + 4,
                  [](std::uint32_t flag) { return flag > 1; }) ||
      shape[1] + shape[2] == 0 || shape[4] > kAllChoices)
    refuse(file, "a shape that no model has");
  return shape;
}

std::span<const std::uint64_t> keys_of(const ArrayFile& file) {
  const auto keys = file.array<std::uint64_t>("keys");
  if (keys.empty() || keys[0] == 0 || keys.size() >= KeyIndex::kMissing ||
      std::adjacent_find(keys.begin(), keys.end(), std::greater_equal<>()) != keys.end())
    refuse(file, "features that are not in their order");
  return keys;
}

std::span<const std::uint32_t> classes_of(const ArrayFile& file, std::string_view name,
                                          const StringIndex& words) {
  const auto classes = file.array<std::uint32_t>(name);
  if (!classes.empty() && classes.size() != words.size())
    refuse(file, "classes that are not those of its words");
  for (const std::uint32_t its : classes)
    if (its != StringIndex::kMissing && its >= kBorder)
      refuse(file, "class " + std::to_string(its) + ", which is too large");
  return classes;
}

}  // namespace

MaxentModel::MaxentModel(const std::string& path)
    : file_(path, kMaxentKind, kMaxentVersion),
      source_(StringIndex::read(file_, "source_bytes", "source_ends")),
      target_(StringIndex::read(file_, "target_bytes", "target_ends")),
      keys_(keys_of(file_)),
      weights_(file_.array<float>("weights")),
      source_classes_(classes_of(file_, "source_classes", source_)),
      target_classes_(classes_of(file_, "target_classes", target_)),
      features_(source_classes_, target_classes_, shape_of(file_)[4]),
      index_(keys_) {
  const auto shape = shape_of(file_);
  classes_ = shape[0] == 3 ? grammar::OrientationClasses::kMsd : grammar::OrientationClasses::kMslr;
  previous_ = shape[1] != 0;
  next_ = shape[2] != 0;
  single_ = shape[3] != 0;
  if (weights_.size() != keys_.size() * static_cast<std::size_t>(scores()))
    refuse(file_, std::to_string(weights_.size()) + " weights for " + std::to_string(keys_.size()) +
                      " features");
  for (const float weight : weights_)
    if (!std::isfinite(weight)) refuse(file_, "a weight that is no number");
}

void MaxentModel::add(std::span<std::uint64_t> keys, Sums& sums) const {
  std::sort(keys.begin(), keys.end());
  const int size = scores();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] == keys[i - 1]) continue;
    const std::uint32_t id = index_.find(keys[i]);
    if (id == KeyIndex::kMissing) continue;
    const float* row = &weights_[static_cast<std::size_t>(id) * size];
    for (int k = 0; k < size; ++k) sums[k] += static_cast<double>(row[k]);
  }
}

void MaxentModel::log_probabilities(const Sums& sums, float* out) const {
  const int size = scores(), classes = static_cast<int>(classes_);
  for (int begin = 0; begin < size; begin += classes) {
    const double highest = *std::max_element(&sums[begin], &sums[begin] + classes);
    double sum = 0.0;
    for (int k = begin; k < begin + classes; ++k) sum += std::exp(sums[k] - highest);
    const double norm = highest + std::log(sum);
    for (int k = begin; k < begin + classes; ++k) out[k] = static_cast<float>(sums[k] - norm);
  }
}

}  // namespace tunesmith::reorder
