#include "features/build_features.hh"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::features {
namespace {

// Source phrases of a block, and blocks between two rounds of naming.
constexpr std::uint64_t kBlock = 2048, kBlocks = 32;

// What the templates fire on the rules of a block: one template after the other for every rule.
struct Block {
  std::vector<Firing> firings;
  std::vector<std::size_t> ends;  // [rules × templates]
};

}  // namespace

void check_given(const GivenRows& given, std::uint64_t rules, std::uint32_t names) {
  if (given.ends.empty() && given.ids.empty()) return;
  const bool good = given.ends.size() == rules && given.ids.size() == given.values.size() &&
                    std::is_sorted(given.ends.begin(), given.ends.end()) &&
                    (rules == 0 ? 0 : given.ends.back()) == given.ids.size() &&
                    std::all_of(given.ids.begin(), given.ids.end(),
                                [&](std::uint32_t id) { return id < names; }) &&
                    std::all_of(given.values.begin(), given.values.end(),
                                [](float value) { return std::isfinite(value); });
  if (!good) throw OptionError("given features do not fit the rules");
}

void add_features(RuleFeaturesWriter& writer, const grammar::PhraseTable& table,
                  std::span<RuleTemplate* const> templates, const GivenRows& given, int threads,
                  const std::function<void(std::size_t)>& done) {
  check_given(given, table.rules(), writer.names().size());
  writer.begin_table(table);
  for (RuleTemplate* one : templates)
    one->begin(table.source_vocabulary(), table.target_vocabulary());
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> ids(templates.size());
  std::vector<Block> blocks(kBlocks);
  SparseVector row;
  std::uint64_t rule = 0;
  for (std::uint64_t first = 0; first < table.sources(); first += kBlock * kBlocks) {
    const std::uint64_t sources = std::min(table.sources() - first, kBlock * kBlocks);
    const std::uint64_t used = (sources + kBlock - 1) / kBlock;
    engine::parallel_for(used, threads, [&](std::size_t b) {
      Block& block = blocks[b];
      block.firings.clear();
      block.ends.clear();
      const std::uint64_t begin = first + b * kBlock;
      for (std::uint64_t s = begin; s < std::min(begin + kBlock, first + sources); ++s) {
        const grammar::RuleRange range = table.rules_of(s);
        for (std::uint64_t r = range.begin; r < range.end; ++r) {
          const RuleView view{table.source(s), table.target(r), table.links(r), table.counts(r)};
          for (const RuleTemplate* one : templates) {
            one->fire(view, block.firings);
            block.ends.push_back(block.firings.size());
          }
        }
      }
    });
    const std::uint64_t before = rule;
    for (std::uint64_t b = 0; b < used; ++b) {
      const Block& block = blocks[b];
      const std::uint64_t begin = first + b * kBlock;
      const std::uint64_t end = std::min(begin + kBlock, first + sources);
      const std::uint64_t rules = table.rules_of(end - 1).end - table.rules_of(begin).begin;
      std::size_t i = 0;
      for (std::uint64_t r = 0; r < rules; ++r, ++rule) {
        row.clear();
        for (std::size_t t = 0; t < templates.size(); ++t) {
          for (; i < block.ends[r * templates.size() + t]; ++i) {
            const Firing& firing = block.firings[i];
            const auto [place, is_new] = ids[t].try_emplace(firing.key, 0);
            if (is_new) place->second = writer.names().add(templates[t]->name(firing.key));
            row.add(place->second, firing.value);
          }
        }
        if (!given.ends.empty())
          for (std::uint64_t g = rule == 0 ? 0 : given.ends[rule - 1]; g < given.ends[rule]; ++g)
            row.add(given.ids[g], given.values[g]);
        writer.add_row(row);
      }
    }
    if (done) done(rule - before);
  }
}

}  // namespace tunesmith::features
