// Training text as word ids, with sentence boundaries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/coded_text.hh"
#include "lm/ngrams.hh"
#include "lm/record_file.hh"

namespace tunesmith::lm {

// The class of words that no class was given for.
constexpr std::string_view kOtherClass = "<other>";

// Takes text in pieces. Every line becomes <s> … </s>, an empty line too; words are numbered in
// the order of their first appearance. <s>, </s> and <unk> in the text are ordinary words (see
// vocabulary.hh). Throws InputError for a line that is not UTF-8 or has a NUL byte.
class Corpus {
 public:
  // Tokens of more than `memory` bytes (unless it is 0) wait in a temporary file.
  Corpus(std::string path, std::uint64_t memory, std::string temporary_folder)
      : path_(std::move(path)),
        memory_(memory),
        temporary_folder_(std::move(temporary_folder)),
        vocabulary_(marker_vocabulary()) {}

  // Makes it a text of classes: words[i] is of class names[i], other words of the class "<other>".
  void set_classes(const std::vector<std::string>& words, const std::vector<std::string>& names);
  // The words seen with their classes and log10 p(word|class); empty without classes.
  ClassLayer class_layer() const;
  // How many tokens had no class given.
  std::uint64_t without_class() const;

  void feed(std::string_view piece);
  // A whole line, without its end. May be called instead of feed().
  void add_line(std::string_view line);
  // Sentences that are coded already, which is the same as to add their lines: every distinct word
  // is looked up once.
  void add_sentences(const CodedText& text);
  // After the last piece: a last line without an end counts.
  void finish();
  // More text follows from another file; lines are counted anew.
  void next_file(std::string path) {
    path_ = std::move(path);
    lines_ = 0;
  }

  StringIndex& vocabulary() { return vocabulary_; }
  // All sentences, one after the other; only if they are not spilled.
  std::span<const WordId> tokens() const { return tokens_; }
  bool spilled() const { return spilled_ != nullptr; }
  // All sentences, in pieces.
  void replay(const std::function<void(std::span<const WordId>)>& take);
  void clear_tokens() { tokens_ = {}; }
  // How often each word occurs in the text.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  // Lines of the current file, and of all.
  std::uint64_t lines() const { return lines_; }
  std::uint64_t sentences() const { return sentences_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::uint64_t memory_;
  std::string temporary_folder_;
  StringIndex vocabulary_;
  std::vector<WordId> tokens_;
  std::vector<std::uint64_t> counts_;

  // A word's place: its id, or, in a text of classes, its number among the words that have one.
  std::uint32_t place_of(std::string_view word);
  void add_token(std::uint32_t place);
  void end_sentence();
  void check_text(std::string_view text) const;

  std::string rest_;  // an unfinished line
  struct Classes {
    StringIndex words;
    std::vector<WordId> id;            // by word: its class in vocabulary_
    std::vector<std::uint64_t> count;  // by word
    WordId other = 0;
  };
  std::unique_ptr<Classes> classes_;
  std::unique_ptr<RecordFile> spilled_;
  std::uint64_t lines_ = 0, sentences_ = 0;
};

}  // namespace tunesmith::lm
