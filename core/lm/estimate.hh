// A model from text: in memory where it fits, else in temporary files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lm/external_estimate.hh"
#include "lm/kneser_ney.hh"
#include "lm/ngrams.hh"

namespace tunesmith::lm {

// The n-grams of an estimated model, wherever they are.
class Estimate {
 public:
  Estimate() = default;
  Estimate(Estimate&&) = default;
  Estimate(const Estimate&) = delete;

  std::vector<Discounts> discounts;     // by order
  std::vector<std::uint64_t> unpruned;  // n-grams of each order before pruning
  // Words of a class-based model.
  ClassLayer layer;
  // Exactly one of them is there.
  std::optional<Ngrams> in_memory;
  std::optional<StoredNgrams> in_files;

  const std::vector<std::uint64_t>& counts() const {
    return in_memory ? in_memory->counts : in_files->counts;
  }
  void write_arpa(const std::function<void(std::string_view)>& write);
  // Takes the n-grams; nothing is left here.
  std::shared_ptr<const Model> take_model();
};

// Takes the corpus apart. The result does not depend on threads or memory.
Estimate estimate(Corpus& corpus, const EstimateOptions& options);

}  // namespace tunesmith::lm
