#include "decode/forbidden_phrases.hh"

#include <algorithm>

namespace tunesmith::decode {

ForbiddenPhrases::ForbiddenPhrases(const std::vector<std::vector<std::string>>& phrases)
    : nodes_(1), infix_words_(1, kOtherWord), shorter_(1, 0) {
  std::vector<std::uint32_t> ids;
  for (const std::vector<std::string>& phrase : phrases) {
    ids.clear();
    for (const std::string& word : phrase) ids.push_back(words_.add(word));
    add_phrase(ids);
    add_infixes(ids);
    longest_ = std::max(longest_, static_cast<std::uint32_t>(ids.size()));
  }
  link();
}

void ForbiddenPhrases::add_phrase(std::span<const std::uint32_t> phrase) {
  std::uint32_t node = 0;
  for (const std::uint32_t word : phrase) {
    const auto [child, is_new] =
        children_.try_emplace(key(node, word), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({nodes_[node].depth + 1, 0, 0});
    node = child->second;
  }
  nodes_[node].matched = nodes_[node].depth;
}

void ForbiddenPhrases::add_infixes(std::span<const std::uint32_t> phrase) {
  for (std::size_t begin = 0; begin < phrase.size(); ++begin) {
    std::uint32_t infix = 0;
    for (const std::uint32_t word : phrase.subspan(begin)) {
      const auto [longer, is_new] =
          infixes_.try_emplace(key(infix, word), static_cast<std::uint32_t>(shorter_.size()));
      if (is_new) {
        infix_words_.push_back(word);
        shorter_.push_back(infix);
      }
      infix = longer->second;
    }
  }
}

// Shorter nodes first: a failure is shorter than its node.
void ForbiddenPhrases::link() {
  struct Link {
    std::uint32_t parent, word, node;
  };
  std::vector<Link> links;
  for (const auto& [place, node] : children_)
    links.push_back(
        {static_cast<std::uint32_t>(place >> 32), static_cast<std::uint32_t>(place), node});
  std::ranges::sort(links, {}, [&](const Link& one) { return nodes_[one.node].depth; });
  for (const Link& one : links) {
    Node& node = nodes_[one.node];
    if (one.parent != 0) node.failure = step(nodes_[one.parent].failure, one.word);
    node.matched = std::max(node.matched, nodes_[node.failure].matched);
  }
}

std::uint32_t ForbiddenPhrases::step(std::uint32_t node, std::uint32_t word) const {
  if (word == kOtherWord) return 0;
  for (;; node = nodes_[node].failure) {
    const auto child = children_.find(key(node, word));
    if (child != children_.end()) return child->second;
    if (node == 0) return 0;
  }
}

std::uint32_t ForbiddenPhrases::after(std::uint32_t state, std::uint32_t word,
                                      bool prescribed) const {
  const std::uint32_t width = longest_ + 1;
  const std::uint32_t node = step(state / width, word);
  const std::uint32_t tail = prescribed ? std::min(state % width + 1, nodes_[node].depth) : 0;
  return nodes_[node].matched > tail ? kRefused : node * width + tail;
}

std::uint32_t ForbiddenPhrases::infix(std::uint32_t before, std::uint32_t word) const {
  const auto longer = infixes_.find(key(before, word));
  return longer == infixes_.end() ? kNoInfix : longer->second;
}

}  // namespace tunesmith::decode
