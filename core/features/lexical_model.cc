#include "features/lexical_model.hh"

namespace tunesmith::features {
namespace {

// The numbers of options in a file, before the levels and their costs.
constexpr std::size_t kNumbers = 8;

LexicalOptions read_options(const ArrayFile& file) {
  const auto values = file.array<std::int32_t>("options");
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(file.path(), 0, "broken options of lexical features",
                       "a whole lexical model", "make it again");
  };
  whole(values.size() >= kNumbers && values.size() % 2 == 0);
  LexicalOptions options;
  options.budget = values[0];
  options.max_atoms = values[1];
  options.rule_ids = values[2] != 0;
  options.edges = values[3] != 0;
  options.rule_pairs = values[4] != 0;
  options.history = values[5] != 0;
  options.source_edges = values[6] != 0;
  options.source_only = static_cast<std::uint32_t>(values[7]);
  for (std::size_t i = kNumbers; i < values.size(); i += 2) {
    whole(values[i] >= 0 && values[i] <= static_cast<int>(AtomLevel::kType) && values[i + 1] > 0);
    options.levels.push_back(static_cast<AtomLevel>(values[i]));
    options.costs.push_back(values[i + 1]);
  }
  return options;
}

}  // namespace

LexicalModel::LexicalModel(LexicalOptions options, WordAtoms source, WordAtoms target,
                           WeightTable weights)
    : templates_(std::move(options)),
      source_(std::move(source)),
      target_(std::move(target)),
      weights_(std::move(weights)) {
  const int levels = static_cast<int>(templates_.options().levels.size());
  if (source_.levels() != levels || target_.levels() != levels)
    throw OptionError("words of other levels than the features");
}

std::shared_ptr<LexicalModel> LexicalModel::load(const std::string& path) {
  const ArrayFile file(path, kKind, kVersion);
  const LexicalOptions options = read_options(file);
  WeightTable weights;
  weights.load(file);
  try {
    auto model = std::make_shared<LexicalModel>(options, WordAtoms(options.levels, file, "source"),
                                                WordAtoms(options.levels, file, "target"),
                                                std::move(weights));
    model->meta_ = file.text("meta");
    return model;
  } catch (const OptionError& error) {
    throw InputError(path, 0, error.what(), "a whole lexical model", "make it again");
  }
}

void LexicalModel::save(const std::string& path, bool all, std::string_view meta) const {
  const LexicalOptions& options = templates_.options();
  std::vector<std::int32_t> values{
      options.budget,       options.max_atoms,
      options.rule_ids,     options.edges,
      options.rule_pairs,   options.history,
      options.source_edges, static_cast<std::int32_t>(options.source_only)};
  for (std::size_t i = 0; i < options.levels.size(); ++i) {
    values.push_back(static_cast<std::int32_t>(options.levels[i]));
    values.push_back(options.costs[i]);
  }
  ArrayFileWriter file(path, kKind, kVersion);
  file.add("options", values);
  file.add_text("meta", meta);
  source_.save(file, "source");
  target_.save(file, "target");
  weights_.save(file, all);
  file.finish();
}

std::shared_ptr<LexicalModel> LexicalModel::with_weights(WeightTable weights) const {
  auto model =
      std::make_shared<LexicalModel>(templates_.options(), source_, target_, std::move(weights));
  model->meta_ = meta_;
  return model;
}

}  // namespace tunesmith::features
