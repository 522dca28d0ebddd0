#include "corpus/class_tree.hh"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "engine/parallel.hh"

namespace tunesmith::corpus {

namespace {

// Fewer classes than this are not worth a thread.
constexpr std::size_t kFew = 128;
constexpr std::size_t kClassesAtOnce = 16;

struct Node {
  std::uint64_t size = 0;
  int zero = -1, one = -1;  // nodes, or −1 in leaves
};

class Merger {
 public:
  Merger(ClassCounts counts, std::uint32_t mergeable, const CountEntropy& h, int threads)
      : counts_(std::move(counts)), h_(h), threads_(threads), losses_(mergeable) {
    for (std::uint32_t c = 0; c < counts_.classes(); ++c) {
      neighbours_.push_back(c);
      if (c >= mergeable) continue;
      alive_.push_back(c);
      node_of_.push_back(static_cast<int>(c));
      nodes_.push_back({counts_.size(c)});
      losses_[c].resize(c);
    }
    each_alive([&](std::size_t i) {
      const std::uint32_t a = alive_[i];
      for (std::size_t j = 0; j < i; ++j) losses_[a][alive_[j]] = loss(a, alive_[j]);
    });
  }

  std::vector<Node> merge_all() && {
    while (alive_.size() > 1) merge_cheapest();
    return std::move(nodes_);
  }

 private:
  // The counts of class d with all others, both ways, and the sum of their h.
  struct Around {
    std::vector<std::uint32_t> after, before;
    std::vector<double> entropy;
  };

  void each_alive(const std::function<void(std::size_t)>& body) const {
    engine::parallel_for(alive_.size(), alive_.size() < kFew ? 1 : threads_, body, kClassesAtOnce);
  }

  // What T·I loses when a and b become one.
  double loss(std::uint32_t a, std::uint32_t b) const {
    double sum = 0;
    for (const std::uint32_t d : neighbours_) {
      if (d == a || d == b) continue;
      const std::uint32_t ad = counts_(a, d), bd = counts_(b, d), da = counts_.before(a)[d],
                          db = counts_.before(b)[d];
      if (ad != 0 && bd != 0) sum += h_(ad) + h_(bd) - h_(ad + bd);
      if (da != 0 && db != 0) sum += h_(da) + h_(db) - h_(da + db);
    }
    const std::uint32_t aa = counts_(a, a), ab = counts_(a, b), ba = counts_(b, a),
                        bb = counts_(b, b);
    sum += h_(aa) + h_(ab) + h_(ba) + h_(bb) - h_(aa + ab + ba + bb);
    const std::uint32_t size = counts_.size(a), other = counts_.size(b);
    return sum + 2 * (h_(size + other) - h_(size) - h_(other));
  }

  double& kept_loss(std::uint32_t a, std::uint32_t b) {
    return losses_[std::max(a, b)][std::min(a, b)];
  }

  Around around(std::uint32_t d) const {
    const auto after = counts_.after(d), before = counts_.before(d);
    Around found{{after.begin(), after.end()}, {before.begin(), before.end()}, {}};
    for (std::size_t c = 0; c < after.size(); ++c)
      found.entropy.push_back(h_(after[c]) + h_(before[c]));
    return found;
  }

  std::pair<std::uint32_t, std::uint32_t> cheapest() const {
    std::vector<std::pair<double, std::uint32_t>> best(
        alive_.size(), {std::numeric_limits<double>::infinity(), 0});
    each_alive([&](std::size_t i) {
      for (std::size_t j = 0; j < i; ++j)
        best[i] = std::min(best[i], {losses_[alive_[i]][alive_[j]], alive_[j]});
    });
    const std::size_t i = std::min_element(best.begin(), best.end()) - best.begin();
    return {best[i].second, alive_[i]};
  }

  void merge_cheapest() {
    const auto [kept, gone] = cheapest();
    const Around old_kept = around(kept), old_gone = around(gone);
    join_counts(kept, gone);
    const Around joined = around(kept);
    std::erase(alive_, gone);
    std::erase(neighbours_, gone);

    // A pair that stays loses the terms of `kept` and `gone` and gets those of their union.
    std::vector<double> change(joined.entropy.size());
    for (std::size_t c = 0; c < change.size(); ++c)
      change[c] = joined.entropy[c] - old_kept.entropy[c] - old_gone.entropy[c];
    each_alive([&](std::size_t i) {
      const std::uint32_t a = alive_[i];
      if (a == kept) return;
      kept_loss(a, kept) = loss(a, kept);
      const auto together = [&](const Around& d, std::uint32_t b) {
        return h_(d.after[a] + d.after[b]) + h_(d.before[a] + d.before[b]);
      };
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t b = alive_[j];
        if (b == kept) continue;
        losses_[a][b] += change[a] + change[b] - together(joined, b) + together(old_kept, b) +
                         together(old_gone, b);
      }
    });
    join_nodes(kept, gone);
  }

  void join_counts(std::uint32_t kept, std::uint32_t gone) {
    const std::vector<std::uint32_t> after(counts_.after(gone).begin(), counts_.after(gone).end());
    for (std::uint32_t d = 0; d < after.size(); ++d) {
      counts_.add(gone, d, -after[d]);
      counts_.add(kept, d, after[d]);
    }
    const std::vector<std::uint32_t> before(counts_.before(gone).begin(),
                                            counts_.before(gone).end());
    for (std::uint32_t d = 0; d < before.size(); ++d) {
      counts_.add(d, gone, -before[d]);
      counts_.add(d, kept, before[d]);
    }
    counts_.add_size(kept, counts_.size(gone));
    counts_.add_size(gone, -counts_.size(gone));
  }

  void join_nodes(std::uint32_t kept, std::uint32_t gone) {
    int zero = node_of_[kept], one = node_of_[gone];
    if (nodes_[one].size > nodes_[zero].size) std::swap(zero, one);
    node_of_[kept] = static_cast<int>(nodes_.size());
    nodes_.push_back({nodes_[zero].size + nodes_[one].size, zero, one});
  }

  ClassCounts counts_;
  const CountEntropy& h_;
  int threads_;
  std::vector<std::uint32_t> alive_, neighbours_;  // ascending
  std::vector<std::vector<double>> losses_;        // of a with every b < a
  std::vector<int> node_of_;
  std::vector<Node> nodes_;  // leaves first, the root last
};

}  // namespace

std::vector<std::string> class_paths(const ClassCounts& counts, std::uint32_t mergeable,
                                     const CountEntropy& h, int threads) {
  if (mergeable == 1) return {"0"};
  const std::vector<Node> nodes = Merger(counts, mergeable, h, threads).merge_all();
  std::vector<std::string> paths(nodes.size());
  for (std::size_t i = nodes.size(); i-- > mergeable;) {
    paths[nodes[i].zero] = paths[i] + '0';
    paths[nodes[i].one] = paths[i] + '1';
  }
  paths.resize(mergeable);
  return paths;
}

}  // namespace tunesmith::corpus
