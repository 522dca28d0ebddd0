#include "decode/chart/chart_model.hh"

#include "base/error.hh"

namespace tunesmith::decode {

ChartModel::ChartModel(std::vector<std::shared_ptr<const lm::Model>> models, int grammar_features,
                       int arc_features)
    : models_(std::move(models)), grammar_features_(grammar_features), arc_features_(arc_features) {
  if (grammar_features < 0 || arc_features < 0)
    throw OptionError("a grammar with a negative number of features");
}

}  // namespace tunesmith::decode
