#include "lm/corpus.hh"

#include <cmath>

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
  check_text(line);
  tokens_.push_back(kBegin);
  for_each_word(line, [&](std::string_view word) { add_token(place_of(word)); });
  end_sentence();
}

void Corpus::add_sentences(const CodedText& text) {
  text.check();
  std::vector<std::uint32_t> places(text.vocabulary.size(), StringIndex::kMissing);
  for (std::size_t s = 0; s < text.sentences(); ++s) {
    ++lines_;
    ++sentences_;
    tokens_.push_back(kBegin);
    for (const std::uint32_t id : text[s]) {
      if (places[id] == StringIndex::kMissing) {
        const std::string_view word = text.vocabulary.text(id);
        check_text(word);
        places[id] = place_of(word);
      }
      add_token(places[id]);
    }
    end_sentence();
  }
}

void Corpus::check_text(std::string_view text) const {
  const std::size_t bad = find_invalid_utf8(text);
  if (bad == std::string_view::npos) return;
  if (text[bad] == '\0')
    throw InputError(path_, lines_, "a NUL byte at byte " + std::to_string(bad + 1), "text",
                     "remove it, for example with `tr -d '\\000'`");
  throw InputError(path_, lines_, "invalid UTF-8 at byte " + std::to_string(bad + 1), "UTF-8",
                   "convert the file, for example with `iconv -t utf-8`");
}

std::uint32_t Corpus::place_of(std::string_view word) {
  if (!classes_)
    return looks_reserved(word) ? vocabulary_.add(spelled(word)) : vocabulary_.add(word);
  const std::uint32_t place = classes_->words.add(word);
  if (place == classes_->id.size()) {
    if (classes_->other == 0) classes_->other = vocabulary_.add(kOtherClass);
    classes_->id.push_back(classes_->other);
    classes_->count.push_back(0);
  }
  return place;
}

void Corpus::add_token(std::uint32_t place) {
  if (classes_) ++classes_->count[place];
  const WordId id = classes_ ? classes_->id[place] : place;
  if (id >= counts_.size()) counts_.resize(vocabulary_.size(), 0);
  ++counts_[id];
  tokens_.push_back(id);
}

void Corpus::end_sentence() {
  tokens_.push_back(kEnd);
  if (memory_ == 0 || tokens_.size() * sizeof(WordId) <= memory_) return;
  if (!spilled_) spilled_ = std::make_unique<RecordFile>(temporary_folder_);
  spilled_->append(tokens_.data(), tokens_.size());
  tokens_.clear();
}

void Corpus::set_classes(const std::vector<std::string>& words,
                         const std::vector<std::string>& names) {
  if (words.size() != names.size()) throw OptionError("not one class for every word");
  classes_ = std::make_unique<Classes>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (classes_->words.add(words[i]) != i)
      throw OptionError("two classes for the word " + quoted(words[i]));
    classes_->id.push_back(vocabulary_.add(spelled(names[i])));
  }
  classes_->count.assign(words.size(), 0);
}

ClassLayer Corpus::class_layer() const {
  ClassLayer out;
  if (!classes_) return out;
  for (std::uint32_t place = 0; place < classes_->words.size(); ++place) {
    const std::uint64_t count = classes_->count[place];
    if (count == 0) continue;
    const WordId id = classes_->id[place];
    out.words.add(classes_->words.text(place));
    out.classes.push_back({id, static_cast<float>(std::log10(static_cast<double>(count) /
                                                             static_cast<double>(counts_[id])))});
  }
  return out;
}

std::uint64_t Corpus::without_class() const {
  return classes_ && classes_->other != 0 ? counts_[classes_->other] : 0;
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
