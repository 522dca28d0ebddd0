#include <deque>
#include <limits>
#include <unordered_map>

#include "base/error.hh"
#include "formats/json.hh"
#include "graph/graph_readers.hh"

namespace tunesmith::graph {
namespace {

using Type = formats::JsonNode::Type;

std::string_view strip(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The target side of "[X] ||| source ||| target ||| scores", or of "[X] ||| target".
std::string_view target_side(std::string_view rule) {
  std::string_view fields[4];
  std::size_t count = 0;
  while (count < 4) {
    const std::size_t bars = count == 3 ? std::string_view::npos : rule.find("|||");
    fields[count++] = strip(rule.substr(0, bars));
    if (bars == std::string_view::npos) break;
    rule.remove_prefix(bars + 3);
  }
  if (count < 2)
    throw formats::BadLine{"rule " + quoted(fields[0]), "[X] ||| source ||| target", {}};
  return fields[count == 2 ? 1 : 2];
}

// i of [i] or [X,i], from 1; 0 if it is a word.
int slot_of(std::string_view word) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return 0;
  const std::size_t comma = word.rfind(',');
  const std::size_t begin = comma == std::string_view::npos ? 1 : comma + 1;
  if (begin + 2 != word.size()) return 0;
  const char digit = word[begin];
  return digit > '0' && digit <= '9' ? digit - '0' : 0;
}

class CdecGraphReader final : public GraphReader {
 public:
  using GraphReader::GraphReader;

 private:
  struct EdgeNode {
    const formats::JsonNode* json;
    std::uint32_t head = kNoHead;
  };
  static constexpr std::uint32_t kNoHead = std::numeric_limits<std::uint32_t>::max();

  void line(std::string_view text) override {
    if (strip(text).empty()) {
      close_empty_sentence();
      return;
    }
    decoded_.clear();
    names_.clear();
    rules_.clear();
    edges_.clear();
    nodes_ = 0;
    const formats::JsonNode& forest = json_.parse(text, decoded_);
    if (!forest.is(Type::kObject))
      throw formats::BadLine{"no JSON object", "{\"rules\":[…],…}", {}};
    for (const formats::JsonNode* part = json_.child(forest); part != nullptr;
         part = json_.sibling(*part))
      take(*part);
    if (nodes_ == 0) {
      close_empty_sentence();
      return;
    }
    for (const EdgeNode& edge : edges_) add(edge);
    close_sentence(nodes_ - 1, "node");
  }

  void take(const formats::JsonNode& part) {
    if (part.key == "rules") {
      take_rules(part);
    } else if (part.key == "features") {
      each(part, "features", [&](const formats::JsonNode& name) {
        if (!name.is(Type::kString))
          throw formats::BadLine{"a feature name that is no string", "\"name\"", {}};
        names_.push_back(name.text);
      });
    } else if (part.key == "edges") {
      each(part, "edges", [&](const formats::JsonNode& edge) {
        if (!edge.is(Type::kObject))
          throw formats::BadLine{"an edge that is no object", "{\"tail\":[…],…}", {}};
        edges_.push_back({&edge});
      });
    } else if (part.key == "node") {
      take_node(part);
    } else if (part.key != "is_sorted") {
      throw formats::BadLine{
          "key " + quoted(part.key), "one of: rules, features, edges, node, is_sorted", {}};
    }
  }

  // rules: number, text, number, text, …
  void take_rules(const formats::JsonNode& part) {
    std::int64_t id = -1;
    each(part, "rules", [&](const formats::JsonNode& item) {
      if (id < 0) {
        id = integer(item, "a rule's number");
        return;
      }
      if (!item.is(Type::kString))
        throw formats::BadLine{
            "rule " + std::to_string(id) + " is no string", "\"[X] ||| … ||| …\"", {}};
      rules_[id] = item.text;
      id = -1;
    });
    if (id >= 0)
      throw formats::BadLine{"rule " + std::to_string(id) + " without text", "number, text, …", {}};
  }

  void take_node(const formats::JsonNode& node) {
    if (!node.is(Type::kObject))
      throw formats::BadLine{"a node that is no object", "{\"in_edges\":[…]}", {}};
    if (const formats::JsonNode* in = json_.member(node, "in_edges"))
      each(*in, "in_edges", [&](const formats::JsonNode& item) {
        const std::int64_t e = integer(item, "an edge's number");
        if (e >= static_cast<std::int64_t>(edges_.size()))
          throw formats::BadLine{
              "edge " + std::to_string(e) + " of node " + std::to_string(nodes_),
              "one of the " + std::to_string(edges_.size()) + " edges before the node",
              {}};
        if (edges_[e].head != kNoHead)
          throw formats::BadLine{
              "edge " + std::to_string(e) + " in two nodes", "one head per edge", {}};
        edges_[e].head = nodes_;
      });
    ++nodes_;
  }

  void add(const EdgeNode& edge) {
    const auto number = static_cast<std::size_t>(&edge - edges_.data());
    if (edge.head == kNoHead)
      throw formats::BadLine{
          "edge " + std::to_string(number) + " of no node", "one head per edge", {}};
    std::vector<std::uint32_t> tails;
    std::string_view target;
    bool has_rule = false;
    std::int32_t begin = -1, end = -1;
    for (const formats::JsonNode* part = json_.child(*edge.json); part != nullptr;
         part = json_.sibling(*part)) {
      if (part->key == "tail") {
        each(*part, "tail", [&](const formats::JsonNode& item) {
          const std::int64_t tail = integer(item, "a tail");
          if (tail >= nodes_)
            throw formats::BadLine{
                "tail " + std::to_string(tail) + " of edge " + std::to_string(number),
                "one of the " + std::to_string(nodes_) + " nodes",
                {}};
          tails.push_back(static_cast<std::uint32_t>(tail));
        });
      } else if (part->key == "rule") {
        target = target_side(rule_text(*part));
        has_rule = true;
      } else if (part->key == "feats") {
        add_features(*part);
      } else if (part->key == "spans") {
        int at = 0;
        each(*part, "spans", [&](const formats::JsonNode& item) {
          const auto value = static_cast<std::int32_t>(integer(item, "a span", -1));
          if (at == 0) begin = value;
          if (at == 1) end = value;
          ++at;
        });
      } else {
        throw formats::BadLine{
            "key " + quoted(part->key) + " of an edge", "one of: tail, spans, feats, rule", {}};
      }
    }
    push_target(target, tails.size(), has_rule, number);
    close_edge(edge.head, tails, begin, end);
  }

  std::string_view rule_text(const formats::JsonNode& part) const {
    if (part.is(Type::kString)) return part.text;
    const std::int64_t id = integer(part, "a rule");
    const auto found = rules_.find(id);
    if (found == rules_.end())
      throw formats::BadLine{"rule " + std::to_string(id), "one of the forest's rules", {}};
    return found->second;
  }

  void push_target(std::string_view target, std::size_t tails, bool has_rule, std::size_t number) {
    std::vector<std::int32_t>& words = assembler_.edges().words;
    if (!has_rule) {  // forests without rules: the tails' words one after the other
      for (std::size_t i = 0; i < tails; ++i) words.push_back(tail_slot(static_cast<int>(i)));
      return;
    }
    std::vector<bool> seen(tails, false);
    std::size_t slots = 0;
    while (!target.empty()) {
      const std::size_t space = std::min(target.find(' '), target.size());
      const std::string_view word = target.substr(0, space);
      target.remove_prefix(std::min(space + 1, target.size()));
      if (word.empty()) continue;
      const int slot = slot_of(word);
      if (slot == 0) {
        push_word(word);
        continue;
      }
      if (static_cast<std::size_t>(slot) > tails || seen[slot - 1])
        throw formats::BadLine{quoted(word) + " in the rule of edge " + std::to_string(number),
                               "each of its " + std::to_string(tails) + " tails once",
                               {}};
      seen[slot - 1] = true;
      ++slots;
      words.push_back(tail_slot(slot - 1));
    }
    if (slots != tails)
      throw formats::BadLine{
          std::to_string(slots) + " places for tails in the rule of edge " + std::to_string(number),
          "each of its " + std::to_string(tails) + " tails once",
          {}};
  }

  // feats: place or name, value, …
  void add_features(const formats::JsonNode& part) {
    std::string name;
    bool has_name = false;
    each(part, "feats", [&](const formats::JsonNode& item) {
      if (has_name) {
        if (!item.is(Type::kNumber))
          throw formats::BadLine{
              "feature " + quoted(name) + " without a number", "name, number, …", {}};
        set_feature(name, item.number);
        has_name = false;
        return;
      }
      has_name = true;
      if (item.is(Type::kString)) {
        name = item.text;
        return;
      }
      const std::int64_t place = integer(item, "a feature");
      if (place >= static_cast<std::int64_t>(names_.size()))
        throw formats::BadLine{"feature " + std::to_string(place),
                               "one of the " + std::to_string(names_.size()) + " names",
                               {}};
      name = names_[place];
    });
    if (has_name)
      throw formats::BadLine{
          "feature " + quoted(name) + " without a number", "name, number, …", {}};
  }

  template <typename Visit>
  void each(const formats::JsonNode& list, const char* key, const Visit& visit) const {
    if (list.is(Type::kNull)) return;
    if (!list.is(Type::kArray))
      throw formats::BadLine{quoted(key) + " that is no list", "[…] or null", {}};
    for (const formats::JsonNode* item = json_.child(list); item != nullptr;
         item = json_.sibling(*item))
      visit(*item);
  }

  static std::int64_t integer(const formats::JsonNode& node, const char* what,
                              std::int64_t lowest = 0) {
    const bool fits = node.is(Type::kNumber) && node.number >= static_cast<double>(lowest) &&
                      node.number <= 0x7FFFFFFF;
    const auto value = static_cast<std::int64_t>(fits ? node.number : 0.0);
    if (!fits || static_cast<double>(value) != node.number)
      throw formats::BadLine{std::string(what) + " that is no whole number",
                             "a number from " + std::to_string(lowest) + " on",
                             {}};
    return value;
  }

  formats::JsonTree json_;
  std::deque<std::string> decoded_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::int64_t, std::string_view> rules_;
  std::vector<EdgeNode> edges_;
  std::uint32_t nodes_ = 0;
};

}  // namespace

std::unique_ptr<GraphReader> make_cdec_graph_reader(std::string path) {
  return std::make_unique<CdecGraphReader>(std::move(path));
}

}  // namespace tunesmith::graph
