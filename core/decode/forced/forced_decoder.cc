#include "decode/forced/forced_decoder.hh"

#include <memory>

#include "engine/parallel.hh"

namespace tunesmith::decode {

std::uint64_t forced_memory(const ForcedOptions& options) {
  constexpr std::uint64_t kNode = sizeof(GoldNode) + 4 * sizeof(std::uint32_t);
  constexpr std::uint64_t kEdge = 3 * sizeof(std::uint32_t);
  return options.max_nodes * (2 * kNode + 2 * 4 * kEdge);  // vectors double as they grow
}

void check_links(const PhraseModel& model, const TrainingText& pairs) {
  if (pairs.tables() != 0 && pairs.tables() != static_cast<std::size_t>(model.tables()))
    throw OptionError("links of " + std::to_string(pairs.tables()) + " tables for " +
                      std::to_string(model.tables()));
}

std::vector<ForcedResult> force_pairs(const PhraseModel& model, const TrainingText& pairs,
                                      const ForcedOptions& options, bool keep, int threads,
                                      const std::function<void(std::size_t)>& done) {
  check_links(model, pairs);
  std::vector<std::unique_ptr<ForcedSearch>> workers(engine::resolve_threads(threads));
  std::vector<ForcedResult> results(pairs.size());
  engine::parallel_for_worker(
      pairs.size(), threads,
      [&](std::size_t p, int w) {
        if (!workers[w]) workers[w] = std::make_unique<ForcedSearch>(model, options);
        ForcedResult& result = results[p];
        result.lattice = workers[w]->run(pairs[p]);
        result.nodes = result.lattice.nodes.size();
        result.edges = result.lattice.edges.size();
        if (!keep) {
          result.lattice.nodes = {};
          result.lattice.edges = {};
        }
        if (done) done(1);
      },
      16);
  return results;
}

}  // namespace tunesmith::decode
