#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "base/words.hh"
#include "decode/lexical/name_lexical.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Named = std::tuple<std::uint64_t, std::string, float>;  // key, name, weight

std::vector<Named> to_python(const std::vector<decode::NamedFeature>& features) {
  std::vector<Named> out;
  for (const decode::NamedFeature& feature : features)
    out.emplace_back(feature.key, feature.name, feature.weight);
  return out;
}

void check(const decode::PhraseModel& model) {
  if (model.lexical() == nullptr) throw OptionError("a model without lexical features");
}

}  // namespace

void register_decode_lexical(nb::module_& m) {
  // For every step of a derivation [(key, name, weight)].
  m.def(
      "lexical_derivation_names",
      [](const decode::PhraseModel& model, const decode::SourceSentence& sentence,
         const std::vector<std::vector<std::int64_t>>& rows, const std::string& text,
         const std::vector<std::string>& levels) {
        check(model);
        const auto words = static_cast<std::int64_t>(sentence.words.size());
        std::int64_t made = 0;
        for_each_word(text, [&](std::string_view) { ++made; });
        std::vector<decode::DerivationStep> steps;
        for (const auto& row : rows) {
          const bool fits =
              row.size() == 6 && 0 <= row[0] && row[0] < row[1] && row[1] <= words && 0 <= row[2] &&
              row[2] <= row[3] && row[3] <= made && 0 <= row[4] && row[4] < model.tables() &&
              row[5] < static_cast<std::int64_t>(model.table(static_cast<int>(row[4])).rules());
          if (!fits) throw nb::value_error("a step outside its sentence or table");
          const StringIndex& known = model.table(static_cast<int>(row[4])).source_vocabulary();
          for (std::int64_t i = row[0]; i < row[1] && row[5] >= 0; ++i)
            if (known.find(sentence.words[i]) == StringIndex::kMissing)
              throw nb::value_error("a rule for words that its table does not know");
          steps.push_back({static_cast<std::int32_t>(row[0]), static_cast<std::int32_t>(row[1]),
                           static_cast<std::int32_t>(row[2]), static_cast<std::int32_t>(row[3]),
                           static_cast<std::int32_t>(row[4]), row[5]});
        }
        std::vector<std::vector<Named>> out;
        for (const auto& features : decode::derivation_names(model, sentence, steps, text, levels))
          out.push_back(to_python(features));
        return out;
      },
      "model"_a, "sentence"_a, "steps"_a, "text"_a, "levels"_a);
  // [(key, name, weight)], sorted by key.
  m.def(
      "lexical_names",
      [](const decode::PhraseModel& model, bind::In<std::uint64_t> keys,
         const std::vector<std::vector<std::string>>& text, const std::vector<std::string>& levels,
         int threads, bind::Done done) {
        check(model);
        const auto span = bind::span_of(keys);
        const std::vector<std::uint64_t> wanted(span.begin(), span.end());
        std::vector<decode::NamedFeature> found;
        {
          nb::gil_scoped_release release;
          found =
              decode::find_names(model, wanted, text, levels, threads, [&](std::size_t sentences) {
                nb::gil_scoped_acquire acquire;
                done(sentences);
              });
        }
        return to_python(found);
      },
      "model"_a, "keys"_a, "text"_a, "levels"_a, "threads"_a, "done"_a);
}
