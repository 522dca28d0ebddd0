// Threads of the language model room: estimation and batch scoring give the same with one and with
// several.
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hh"
#include "lm/batch.hh"
#include "lm/estimate.hh"

using namespace tunesmith;

namespace {

std::vector<std::string> sentences() {
  Random random(1);
  std::vector<std::string> out(3000);
  for (std::string& line : out) {
    for (std::uint64_t words = random.below(12); words > 0; --words)
      line += "w" + std::to_string(random.below(1 + random.below(200))) + " ";
  }
  return out;
}

lm::Estimate train(const std::vector<std::string>& lines, int threads) {
  lm::Corpus corpus("test", 0, ".");
  for (const std::string& line : lines) corpus.add_line(line);
  lm::EstimateOptions options;
  options.order = 4;
  options.prune = {0, 0, 1};
  options.threads = threads;
  return lm::estimate(corpus, options);
}

std::string arpa(lm::Estimate& estimate) {
  std::string out;
  estimate.write_arpa([&](std::string_view piece) { out += piece; });
  return out;
}

}  // namespace

int main() {
  const std::vector<std::string> text = sentences();
  lm::Estimate one = train(text, 1), several = train(text, 4);
  if (arpa(one) != arpa(several)) return 1;

  const std::vector<std::string_view> lines(text.begin(), text.end());
  const auto model = one.take_model();
  if (lm::score_sentences(*model, lines, {}, 1) != lm::score_sentences(*model, lines, {}, 4))
    return 2;
  const lm::WordScores serial = lm::score_words(*model, lines, {}, 1),
                       parallel = lm::score_words(*model, lines, {}, 4);
  if (serial.log10 != parallel.log10 || serial.length != parallel.length) return 3;
  if (serial.offsets != parallel.offsets || serial.words != parallel.words) return 4;
  return 0;
}
