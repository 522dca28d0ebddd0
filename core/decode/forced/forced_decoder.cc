#include "decode/forced/forced_decoder.hh"

#include <memory>

#include "engine/parallel.hh"

namespace tunesmith::decode {

std::uint64_t forced_memory(const ForcedOptions& options) {
  constexpr std::uint64_t kNode = sizeof(GoldNode) + 4 * sizeof(std::uint32_t);
  constexpr std::uint64_t kEdge = 3 * sizeof(std::uint32_t);
  return options.max_nodes * (2 * kNode + 2 * 4 * kEdge);  // vectors double as they grow
}

void check_pairs(const PhraseModel& model, const std::vector<TrainingPair>& pairs) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const TrainingPair& pair = pairs[p];
    if (!pair.links.empty() && pair.links.size() != static_cast<std::size_t>(model.tables()))
      throw OptionError("links of " + std::to_string(pair.links.size()) + " tables for " +
                        std::to_string(model.tables()));
    for (const auto& links : pair.links) {
      if (!links) continue;
      for (const auto& [source, target] : *links)
        if (source >= pair.source.size() || target >= pair.target.size())
          throw OptionError("pair " + std::to_string(p + 1) + ": link " + std::to_string(source) +
                            "-" + std::to_string(target) + " outside its " +
                            std::to_string(pair.source.size()) + " and " +
                            std::to_string(pair.target.size()) + " words");
    }
  }
}

std::vector<ForcedResult> force_pairs(const PhraseModel& model,
                                      const std::vector<TrainingPair>& pairs,
                                      const ForcedOptions& options, bool keep, int threads,
                                      const std::function<void(std::size_t)>& done) {
  check_pairs(model, pairs);
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
