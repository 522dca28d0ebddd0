// Sentence pairs to learn from, kept as word ids: a pair is written out while it is worked on.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/coded_text.hh"
#include "formats/pharaoh.hh"

namespace tunesmith::decode {

// (source, target) positions inside a sentence pair.
using PairLinks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A sentence pair to learn from.
struct TrainingPair {
  std::vector<std::string> source, target;
  // Of every table the links that it was extracted from, as far as they are known; or nothing at
  // all.
  std::vector<std::optional<PairLinks>> links;
};

class TrainingText {
 public:
  // `links` are those of every table, as far as they are known; or nothing at all. All arrays must
  // outlive the text. Throws OptionError where they do not fit together.
  TrainingText(const CodedText& source, const CodedText& target,
               std::vector<std::optional<formats::LinkView>> links = {});

  std::size_t size() const { return source_.sentences(); }
  // Tables whose links are known or known to be unknown; 0 where nothing is said of links.
  std::size_t tables() const { return links_.size(); }
  TrainingPair operator[](std::size_t p) const;

 private:
  CodedText source_, target_;
  std::vector<std::optional<formats::LinkView>> links_;
};

}  // namespace tunesmith::decode
