// Threads of the aligner: every stage gives the same numbers with one and with several; broken link
// files of arbitrary bytes, for the sanitisers to watch.
#include <string>
#include <vector>

#include "align/decode.hh"
#include "align/trainer.hh"
#include "base/error.hh"
#include "base/random.hh"
#include "formats/pharaoh.hh"

using namespace tunesmith;

namespace {

constexpr std::uint32_t kWords = 300;

struct Text {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> words;
  align::TextView view() const { return {offsets, words, kWords}; }
};

// Source words at random; target words depend on them, in another order, some left out.
void make_text(Text& source, Text& target) {
  Random random(7);
  for (int s = 0; s < 1200; ++s) {
    const std::uint64_t n = random.below(40);  // also empty sentences
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto word = static_cast<std::uint32_t>(random.below(kWords));
      source.words.push_back(word);
      if (random.below(10) > 0) target.words.push_back((word * 7 + 3) % kWords);
    }
    source.offsets.push_back(source.words.size());
    target.offsets.push_back(target.words.size());
  }
}

struct Result {
  align::Lexicon lexicon;
  align::Direction forward, reverse;
  formats::LinkLists links;
};

Result run(const align::PairView& text, int threads, bool agreement) {
  align::AlignmentTrainer trainer(text, threads);
  trainer.start();
  align::StepOptions options;
  options.agreement = agreement;
  options.threads = threads;
  options.prior = {align::Smoothing::kNone, 0.0};
  for (int i = 0; i < 2; ++i) {
    const align::Normalisers z = trainer.normalisers(options, 0, align::kIbm1Blocks);
    trainer.rows(z, options, 0, text.source.vocabulary);
    trainer.finish_ibm1(z, options);
  }
  align::prune(trainer.lexicon, 1e-6F);
  options.prior = {align::Smoothing::kVariational, 0.3};
  trainer.forward.jumps = trainer.reverse.jumps = align::JumpWeights::initial(10);
  for (const align::Positions positions : {align::Positions::kDiagonal, align::Positions::kJumps}) {
    trainer.forward.positions = trainer.reverse.positions = positions;
    for (int i = 0; i < 2; ++i) {
      std::vector<align::ExpectedCounts> counts;
      counts.push_back(trainer.expect(options, 0, trainer.blocks()));
      trainer.maximise(std::move(counts), options);
    }
  }
  align::LinkOptions link_options;
  link_options.symmetrisation = align::Symmetrisation::kGrowDiagFinalAnd;
  link_options.threads = threads;
  formats::LinkLists links =
      align::align(text, trainer.lexicon.view(), trainer.forward, trainer.reverse, link_options);
  return {std::move(trainer.lexicon), trainer.forward, trainer.reverse, std::move(links)};
}

bool same(const Result& a, const Result& b) {
  return a.lexicon.targets == b.lexicon.targets && a.lexicon.forward == b.lexicon.forward &&
         a.lexicon.reverse == b.lexicon.reverse &&
         a.lexicon.null_forward == b.lexicon.null_forward &&
         a.forward.tension == b.forward.tension && a.forward.jumps.jump == b.forward.jumps.jump &&
         a.reverse.jumps.first == b.reverse.jumps.first && a.links.offsets == b.links.offsets &&
         a.links.source == b.links.source && a.links.target == b.links.target &&
         a.links.probability == b.links.probability;
}

void parse_anything() {
  constexpr char kPieces[] = "0123456789-p:. \n\t\r\xff-0";
  Random random(1);
  for (int i = 0; i < 30'000; ++i) {
    std::string text;
    for (std::uint64_t n = random.below(20); n > 0; --n)
      text += kPieces[random.below(sizeof kPieces)];
    try {
      const formats::LinkLists links = formats::parse_pharaoh(text, "links");
      formats::format_pharaoh({links.offsets, links.source, links.target}, links.possible,
                              links.probability);
    } catch (const InputError&) {
    }
  }
}

}  // namespace

int main() {
  parse_anything();
  Text source, target;
  make_text(source, target);
  const align::PairView text{source.view(), target.view(), 100};
  for (const bool agreement : {true, false}) {
    const Result one = run(text, 1, agreement), several = run(text, 4, agreement);
    if (!same(one, several)) return 1;
    if (one.links.source.empty() || one.links.size() != text.size()) return 2;
  }
  return 0;
}
