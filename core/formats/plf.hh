// A line of PLF, the lattices of Moses and cdec, as it is written:
//   ((('word',number,…),…),…)    a tuple of nodes, a node a tuple of arcs
// Quotes are single or double; a backslash makes the character behind it an ordinary one; a comma
// may stand behind the last item. What numbers mean is for the caller to say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tunesmith::formats {

struct PlfArc {
  std::string word;
  std::vector<std::string_view> numbers;  // parts of the line, not looked at
};
using PlfNode = std::vector<PlfArc>;

// A line of blanks has no nodes. Throws BadLine.
std::vector<PlfNode> parse_plf(std::string_view line);

}  // namespace tunesmith::formats
