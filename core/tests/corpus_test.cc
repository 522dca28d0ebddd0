// Threads of the corpus room: the same result with one and with several.
#include <string>
#include <string_view>
#include <vector>

#include "corpus/cleaner.hh"
#include "corpus/encode.hh"

using namespace tunesmith;

int main() {
  std::vector<std::string> text;
  for (int i = 0; i < 20'000; ++i)
    text.push_back("word" + std::to_string(i % 997) + " other" + std::to_string(i / 3) + " .");
  const std::vector<std::string_view> lines(text.begin(), text.end());

  StringIndex one, several;
  const EncodedLines serial = encode_lines(one, lines, 1),
                     parallel = encode_lines(several, lines, 4);
  if (serial.ids != parallel.ids || serial.offsets != parallel.offsets) return 1;
  if (one.size() != several.size()) return 2;
  if (encode_known(one, lines, 4).ids != serial.ids) return 3;

  const ScriptTable scripts(128, 1);
  Cleaner alone(CleanOptions{}, scripts, 1, 1), together(CleanOptions{}, scripts, 1, 1);
  if (alone.judge(lines, lines, 1) != together.judge(lines, lines, 4)) return 4;
  if (count_scripts(scripts, lines, 1) != count_scripts(scripts, lines, 4)) return 5;
  if (hash_lines(lines, 1) != hash_lines(lines, 4)) return 6;
  return 0;
}
