#include "align/symmetrise.hh"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

constexpr std::pair<std::string_view, Symmetrisation> kNames[] = {
    {"forward", Symmetrisation::kForward},
    {"reverse", Symmetrisation::kReverse},
    {"intersection", Symmetrisation::kIntersection},
    {"union", Symmetrisation::kUnion},
    {"grow", Symmetrisation::kGrow},
    {"grow-diag", Symmetrisation::kGrowDiag},
    {"grow-diag-final", Symmetrisation::kGrowDiagFinal},
    {"grow-diag-final-and", Symmetrisation::kGrowDiagFinalAnd},
    {"diag-and", Symmetrisation::kDiagAnd},
};

// A candidate of the union, in order of source and target position.
struct Candidate {
  std::uint32_t source, target;
  bool forward, reverse, chosen;
};

class Grower {
 public:
  Grower(std::span<const Link> forward, std::span<const Link> reverse) {
    for (const Link& link : forward)
      candidates_.push_back({link.source, link.target, true, false, false});
    for (const Link& link : reverse)
      candidates_.push_back({link.source, link.target, false, true, false});
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::pair(a.source, a.target) < std::pair(b.source, b.target);
    });
    std::size_t kept = 0;
    for (const Candidate& candidate : candidates_) {
      if (kept > 0 && candidates_[kept - 1].source == candidate.source &&
          candidates_[kept - 1].target == candidate.target) {
        candidates_[kept - 1].forward |= candidate.forward;
        candidates_[kept - 1].reverse |= candidate.reverse;
      } else {
        candidates_[kept++] = candidate;
      }
    }
    candidates_.resize(kept);
    for (const Candidate& candidate : candidates_) {
      source_covered_.resize(std::max<std::size_t>(source_covered_.size(), candidate.source + 1));
      target_covered_.resize(std::max<std::size_t>(target_covered_.size(), candidate.target + 1));
    }
  }

  void run(Symmetrisation method) {
    using enum Symmetrisation;
    for (Candidate& c : candidates_) {
      const bool take = method == kUnion     ? true
                        : method == kForward ? c.forward
                        : method == kReverse ? c.reverse
                                             : c.forward && c.reverse;
      if (take) choose(c);
    }
    if (method < kGrow) return;
    grow(method != kGrow);
    if (method == kGrowDiagFinal || method == kGrowDiagFinalAnd) {
      const bool both = method == kGrowDiagFinalAnd;
      finish([](const Candidate& c) { return c.forward; }, both);
      finish([](const Candidate& c) { return c.reverse; }, both);
    }
    if (method == kDiagAnd) finish([](const Candidate&) { return true; }, true);
  }

  std::vector<Link> chosen() const {
    std::vector<Link> out;
    for (const Candidate& c : candidates_)
      if (c.chosen) out.push_back({c.source, c.target});
    return out;
  }

 private:
  void choose(Candidate& c) {
    c.chosen = true;
    source_covered_[c.source] = true;
    target_covered_[c.target] = true;
  }

  // Sweeps over the union in order of positions until nothing changes: a link is taken when it
  // covers an uncovered word and touches a link that is taken already, also earlier in this sweep.
  void grow(bool diagonal) {
    for (bool changed = true; changed;) {
      changed = false;
      for (Candidate& c : candidates_) {
        if (c.chosen || (source_covered_[c.source] && target_covered_[c.target])) continue;
        if (!touches(c, diagonal)) continue;
        choose(c);
        changed = true;
      }
    }
  }

  bool touches(const Candidate& c, bool diagonal) const {
    // Neighbours have a source position at most 1 away, so they lie near in the sorted list.
    const auto near = [&](const Candidate& other) {
      const std::uint32_t ds =
          c.source > other.source ? c.source - other.source : other.source - c.source;
      const std::uint32_t dt =
          c.target > other.target ? c.target - other.target : other.target - c.target;
      return other.chosen && ds <= 1 && dt <= 1 && (diagonal || ds + dt <= 1);
    };
    const Candidate* const first = candidates_.data();
    const Candidate* const last = first + candidates_.size();
    for (const Candidate* o = &c; o != first && o[-1].source + 1 >= c.source; --o)
      if (near(o[-1])) return true;
    for (const Candidate* o = &c + 1; o != last && o->source <= c.source + 1; ++o)
      if (near(*o)) return true;
    return false;
  }

  template <typename Eligible>
  void finish(Eligible eligible, bool both) {
    for (Candidate& c : candidates_) {
      if (c.chosen || !eligible(c)) continue;
      const bool source = source_covered_[c.source], target = target_covered_[c.target];
      if (both ? !source && !target : !source || !target) choose(c);
    }
  }

  std::vector<Candidate> candidates_;
  std::vector<bool> source_covered_, target_covered_;
};

}  // namespace

Symmetrisation symmetrisation_of(std::string_view name) {
  std::string known;
  for (const auto& [text, method] : kNames) {
    if (text == name) return method;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw OptionError("symmetrisation " + quoted(name) + ", expected one of: " + known);
}

std::vector<Link> symmetrise_pair(std::span<const Link> forward, std::span<const Link> reverse,
                                  Symmetrisation method) {
  Grower grower(forward, reverse);
  grower.run(method);
  return grower.chosen();
}

formats::LinkLists symmetrise(const formats::LinkView& forward, const formats::LinkView& reverse,
                              Symmetrisation method, int threads) {
  if (forward.size() != reverse.size())
    throw OptionError(std::to_string(forward.size()) + " forward and " +
                      std::to_string(reverse.size()) + " reverse sentence pairs, expected equal");
  std::vector<std::vector<Link>> chosen(forward.size());
  const auto links_of = [](const formats::LinkView& links, std::size_t s) {
    std::vector<Link> out;
    for (std::uint64_t k = links.offsets[s]; k < links.offsets[s + 1]; ++k)
      out.push_back({links.source[k], links.target[k]});
    return out;
  };
  engine::parallel_for(
      forward.size(), threads,
      [&](std::size_t s) {
        chosen[s] = symmetrise_pair(links_of(forward, s), links_of(reverse, s), method);
      },
      256);
  formats::LinkLists out;
  for (const auto& pair : chosen) {
    for (const Link& link : pair) {
      out.source.push_back(link.source);
      out.target.push_back(link.target);
    }
    out.offsets.push_back(out.source.size());
  }
  return out;
}

}  // namespace tunesmith::align
