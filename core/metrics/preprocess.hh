// What happens to a text before its words are counted: lower-casing, then tokenisation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tunesmith::metrics {

// Text to text, for what is not written in C++ (a tokeniser of sacreBLEU's). It may be called from
// any thread.
using TextFilter = std::function<std::string(std::string_view)>;

// str.lower(), by a table that Python gives, so that both speak the same version of Unicode.
class Lowercase {
 public:
  // `letters`: every character whose lower case differs, to that lower case. The capital sigma
  // depends on its neighbours: texts that have one go through `exact`.
  Lowercase(std::unordered_map<std::uint32_t, std::string> letters, TextFilter exact)
      : letters_(std::move(letters)), exact_(std::move(exact)) {}

  void operator()(std::string_view text, std::string& out) const;

 private:
  std::unordered_map<std::uint32_t, std::string> letters_;
  TextFilter exact_;
};

struct Preprocess {
  enum class Tokenizer { kNone, k13a, kFilter };

  // Null: case is kept.
  std::shared_ptr<const Lowercase> lowercase;
  Tokenizer tokenizer = Tokenizer::kNone;
  // For kFilter; takes the lower-cased text.
  TextFilter filter;

  // The text to split into words: `text` itself or a string of `scratch`.
  struct Scratch {
    std::string first, second, third;
  };
  std::string_view operator()(std::string_view text, Scratch& scratch) const;
};

}  // namespace tunesmith::metrics
