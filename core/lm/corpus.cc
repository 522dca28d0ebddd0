#include "lm/corpus.hh"

#include "base/error.hh"
#include "base/utf8.hh"

namespace tunesmith::lm {

void Corpus::feed(std::string_view piece) {
  for (;;) {
    const std::size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      rest_ += piece;
      return;
    }
    if (rest_.empty()) {
      add_line(piece.substr(0, end));
    } else {
      rest_ += piece.substr(0, end);
      add_line(rest_);
      rest_.clear();
    }
    piece.remove_prefix(end + 1);
  }
}

void Corpus::finish() {
  if (rest_.empty()) return;
  add_line(rest_);
  rest_.clear();
}

void Corpus::add_line(std::string_view line) {
  ++lines_;
  ++sentences_;
  if (const std::size_t bad = find_invalid_utf8(line); bad != std::string_view::npos) {
    if (line[bad] == '\0')
      throw InputError(path_, lines_, "a NUL byte at byte " + std::to_string(bad + 1), "text",
                       "remove it, for example with `tr -d '\\000'`");
    throw InputError(path_, lines_, "invalid UTF-8 at byte " + std::to_string(bad + 1), "UTF-8",
                     "convert the file, for example with `iconv -t utf-8`");
  }
  tokens_.push_back(kBegin);
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) break;
    const char* const begin = at;
    do ++at;
    while (at != end && !is_space(*at));
    const std::string_view word(begin, at - begin);
    const WordId id = looks_reserved(word) ? vocabulary_.add(spelled(word)) : vocabulary_.add(word);
    if (id >= counts_.size()) counts_.resize(vocabulary_.size(), 0);
    ++counts_[id];
    tokens_.push_back(id);
  }
  tokens_.push_back(kEnd);
  if (memory_ == 0 || tokens_.size() * sizeof(WordId) <= memory_) return;
  if (!spilled_) spilled_ = std::make_unique<RecordFile>(temporary_folder_);
  spilled_->append(tokens_.data(), tokens_.size());
  tokens_.clear();
}

void Corpus::replay(const std::function<void(std::span<const WordId>)>& take) {
  if (spilled_) {
    RecordReader tokens(*spilled_, 1);
    std::vector<WordId> block;
    const std::uint32_t* token = tokens.next();
    while (token != nullptr) {
      block.clear();
      for (; token != nullptr && block.size() < (1 << 16); token = tokens.next())
        block.push_back(*token);
      take(block);
    }
  }
  take(tokens_);
}

}  // namespace tunesmith::lm
