// Threads of the corpus room: the same result with one and with several. And lines of arbitrary
// bytes through the tokeniser and joined again, for the sanitisers to watch.
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hh"
#include "corpus/encode.hh"
#include "corpus/moses_tokenizer.hh"
#include "corpus/sentence_keys.hh"
#include "corpus/spacing.hh"
#include "corpus/word_exchange.hh"

using namespace tunesmith;

namespace {

void tokenise_anything() {
  corpus::MosesTokenizer tokenizer;
  corpus::Spacing spacing;
  corpus::Spacing::Memory memory = corpus::Spacing::memory();
  const std::vector<std::uint32_t> letters = {'a', 'b', 's', 0xE9}, marks = {0x301, 0x200D};
  for (const auto flag : {corpus::CharacterClasses::kAlnum, corpus::CharacterClasses::kAlpha})
    tokenizer.classes.set(flag, letters);
  tokenizer.classes.set(corpus::CharacterClasses::kExtend, marks);
  tokenizer.split_hyphens = true;
  corpus::MosesTokenizer::Scratch scratch;
  constexpr std::string_view kPieces[] = {
      "a",        "b",   "s",    "'",    ".",        ",",        "-",
      " ",        "@-@", "\xC3", "\xFF", "\xF0\x9F", "\xCC\x81", "\xE2\x80\x8D",
      "\xC3\xA9", "1",   "\""};
  Random random(1);
  for (int i = 0; i < 30'000; ++i) {
    tokenizer.apostrophes = static_cast<corpus::Apostrophes>(i % 3);
    std::string line;
    for (std::uint64_t n = random.below(12); n > 0; --n)
      line += kPieces[random.below(std::size(kPieces))];
    spacing.join(line, memory);
    spacing.join(tokenizer(line, scratch), memory);
  }
}

}  // namespace

int main() {
  tokenise_anything();
  std::vector<std::string> text;
  for (int i = 0; i < 20'000; ++i)
    text.push_back("word" + std::to_string(i % 997) + " other" + std::to_string(i / 3) + " .");
  const std::vector<std::string_view> lines(text.begin(), text.end());

  StringIndex one, several;
  const corpus::EncodedLines serial = corpus::encode_lines(one, lines, 1),
                             parallel = corpus::encode_lines(several, lines, 4);
  if (serial.ids != parallel.ids || serial.offsets != parallel.offsets) return 1;
  if (one.size() != several.size()) return 2;
  if (corpus::encode_known(one, lines, 4).ids != serial.ids) return 3;

  if (corpus::hash_lines(lines, 1) != corpus::hash_lines(lines, 4)) return 4;

  corpus::WordExchange few(serial.offsets, serial.ids, one.size(), 150, 1, 1),
      many(serial.offsets, serial.ids, one.size(), 150, 1, 4);
  if (few.sweep() != many.sweep() || few.information() != many.information()) return 5;
  if (few.assignment() != many.assignment() || few.paths() != many.paths()) return 6;
  return 0;
}
