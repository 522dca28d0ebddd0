#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "base/error.hh"
#include "grammar/prune_table.hh"
#include "grammar/table_twins.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Offsets = bind::In<std::uint64_t>;
using Ids = bind::In<std::uint32_t>;

CodedText side(const Offsets& offsets, const Ids& ids, const StringIndex& vocabulary) {
  return {vocabulary, bind::span_of(offsets), bind::span_of(ids)};
}

}  // namespace

void register_grammar_prune(nb::module_& m) {
  m.def(
      "rules_in_text",
      [](const grammar::PhraseTable& table, const Offsets& offsets, const Ids& ids,
         const StringIndex& vocabulary) {
        std::vector<std::uint8_t> keep;
        {
          nb::gil_scoped_release release;
          keep = grammar::rules_in_text(table, side(offsets, ids, vocabulary));
        }
        return bind::to_numpy(std::move(keep));
      },
      "table"_a, "offsets"_a, "ids"_a, "vocabulary"_a);
  m.def(
      "best_rules",
      [](const grammar::PhraseTable& table, int score, int limit) {
        std::vector<std::uint8_t> keep;
        {
          nb::gil_scoped_release release;
          keep = grammar::best_rules(table, score, limit);
        }
        return bind::to_numpy(std::move(keep));
      },
      "table"_a, "score"_a, "limit"_a);
  // A phrase pair that one of the tables keeps is kept by all that have it.
  m.def(
      "keep_twins",
      [](const std::vector<std::shared_ptr<const grammar::PhraseTable>>& tables,
         const std::vector<bind::In<std::uint8_t>>& keep) {
        std::vector<std::vector<std::uint8_t>> flags;
        for (const auto& one : keep) flags.emplace_back(one.data(), one.data() + one.size());
        for (std::size_t t = 0; t < tables.size(); ++t)
          if (flags.size() != tables.size() || flags[t].size() != tables[t]->rules())
            throw nb::value_error("flags of another number of rules");
        {
          nb::gil_scoped_release release;
          flags = grammar::keep_twins(tables, std::move(flags));
        }
        nb::list out;
        for (auto& one : flags) out.append(bind::to_numpy(std::move(one)));
        return bind::list_of<bind::Out<std::uint8_t>>(std::move(out));
      },
      "tables"_a, "keep"_a);
  m.def(
      "significance",
      [](std::uint64_t joint, std::uint64_t source, std::uint64_t target, std::uint64_t sentences) {
        if (joint > std::min(source, target) || std::max(source, target) > sentences)
          throw OptionError("counts that do not fit together");
        return grammar::Significance(sentences)(joint, source, target);
      },
      "joint"_a, "source"_a, "target"_a, "sentences"_a);
  m.def(
      "rule_significance",
      [](const grammar::PhraseTable& table, const Offsets& source_offsets, const Ids& source_ids,
         const StringIndex& source_vocabulary, const Offsets& target_offsets, const Ids& target_ids,
         const StringIndex& target_vocabulary, int threads) {
        std::vector<double> values;
        {
          nb::gil_scoped_release release;
          values = grammar::rule_significance(
              table, side(source_offsets, source_ids, source_vocabulary),
              side(target_offsets, target_ids, target_vocabulary), threads);
        }
        return bind::to_numpy(std::move(values));
      },
      "table"_a, "source_offsets"_a, "source_ids"_a, "source_vocabulary"_a, "target_offsets"_a,
      "target_ids"_a, "target_vocabulary"_a, "threads"_a = 1);
  m.def(
      "write_kept_rules",
      [](const grammar::PhraseTable& table, const bind::In<std::uint8_t>& keep,
         const std::string& path, const std::string& meta) {
        nb::gil_scoped_release release;
        grammar::write_kept_rules(table, bind::span_of(keep), path, meta);
      },
      "table"_a, "keep"_a, "path"_a, "meta"_a);
}
