#include "decode/training_text.hh"

#include <algorithm>

#include "base/error.hh"

namespace tunesmith::decode {
namespace {

std::vector<std::string> words_of(const CodedText& text, std::size_t sentence) {
  std::vector<std::string> words;
  words.reserve(text[sentence].size());
  for (const std::uint32_t id : text[sentence]) words.emplace_back(text.vocabulary.text(id));
  return words;
}

void check_links(const formats::LinkView& links, const CodedText& source, const CodedText& target) {
  const auto& ends = links.offsets;
  if (ends.size() != source.sentences() + 1) throw OptionError("links of another number of pairs");
  if (ends.front() != 0 || ends.back() != links.source.size() ||
      links.source.size() != links.target.size() || !std::is_sorted(ends.begin(), ends.end()))
    throw OptionError("the arrays of the links do not fit together");
  for (std::size_t p = 0; p + 1 < ends.size(); ++p)
    for (std::uint64_t i = ends[p]; i < ends[p + 1]; ++i)
      if (links.source[i] >= source[p].size() || links.target[i] >= target[p].size())
        throw OptionError("pair " + std::to_string(p + 1) + ": link " +
                          std::to_string(links.source[i]) + "-" + std::to_string(links.target[i]) +
                          " outside its " + std::to_string(source[p].size()) + " and " +
                          std::to_string(target[p].size()) + " words");
}

}  // namespace

TrainingText::TrainingText(const CodedText& source, const CodedText& target,
                           std::vector<std::optional<formats::LinkView>> links)
    : source_(source), target_(target), links_(std::move(links)) {
  source_.check();
  target_.check();
  if (source_.sentences() != target_.sentences()) throw OptionError("sides of different size");
  for (const auto& one : links_)
    if (one) check_links(*one, source_, target_);
}

TrainingPair TrainingText::operator[](std::size_t p) const {
  TrainingPair pair{words_of(source_, p), words_of(target_, p), {}};
  for (const auto& links : links_) {
    auto& own = pair.links.emplace_back();
    if (!links) continue;
    own.emplace();
    for (std::uint64_t i = links->offsets[p]; i < links->offsets[p + 1]; ++i)
      own->emplace_back(links->source[i], links->target[i]);
  }
  return pair;
}

}  // namespace tunesmith::decode
