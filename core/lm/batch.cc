#include "lm/batch.hh"

#include <algorithm>
#include <numeric>

#include "engine/parallel.hh"

namespace tunesmith::lm {
namespace {

// Sentences whose turns alternate: enough to cover a memory access, few enough to stay in L1.
constexpr std::size_t kLanes = 12;
// Pieces of a sentence that comes alone: more would score more words twice than they save waiting.
constexpr std::size_t kPieces = 4;
// Sentences that a thread takes at a time.
constexpr std::size_t kBlock = 256;

// Words of a block of sentences: sentence i is ids[ends[i − 1]] … ids[ends[i] − 1].
struct EncodedBlock {
  std::vector<WordId> ids;
  std::vector<float> own;  // what a class-based model adds to each word; else empty
  std::vector<std::size_t> ends;

  void fill(const Model& model, std::span<const std::string_view> sentences, bool with_end) {
    ids.clear();
    own.clear();
    ends.clear();
    for (const std::string_view sentence : sentences) {
      model.encode(sentence, ids, own);
      if (with_end) ids.push_back(kEnd);
      if (model.has_classes()) own.resize(ids.size(), 0.0f);
      ends.push_back(ids.size());
    }
  }

  void fill_alone(const Model& model, std::string_view sentence, bool with_end) {
    ids.reserve(sentence.size() / 4 + 2);  // most text has longer words
    fill(model, {&sentence, 1}, with_end);
  }
};

// Words that one lane scores, one after the other. The words before `from` are not emitted: they
// lead from `node` to the state there.
struct Run {
  const WordId* at;
  const WordId* from;
  const WordId* end;
  std::uint32_t node;
  std::size_t sentence;
  float backoff = 0.0f;
};

// Takes runs from `next_run(run)`, which is false when there are no more, and calls emit(sentence,
// position in ids, log10, context node) for their words; the words of one run come in order.
template <typename NextRun, typename Emit>
void score_runs(const Model& model, const EncodedBlock& block, const NextRun& next_run,
                const Emit& emit) {
  Run lanes[kLanes];
  std::size_t active = 0;
  const WordId* const ids = block.ids.data();
  const Unigram* const unigrams = model.unigrams().data();
  const Node* const nodes = model.nodes().data();

  const auto load = [&](Run& lane) {
    if (!next_run(lane)) return false;
    model.prefetch({lane.node}, *lane.at);
    return true;
  };

  while (active < kLanes && load(lanes[active])) ++active;
  while (active > 0) {
    for (std::size_t l = 0; l < active;) {
      Run& lane = lanes[l];
      const WordId word = *lane.at;
      float log10;
      std::uint32_t next;
      const std::uint32_t context = lane.node;
      if (context == 0) {
        log10 = unigrams[word].prob.log10() + lane.backoff;
        next = unigrams[word].next;
      } else if (const Entry* entry = model.find(context, word)) {
        log10 = entry->prob.log10() + lane.backoff;
        next = entry->next;
      } else {
        lane.backoff += nodes[context].backoff;
        lane.node = nodes[context].suffix;
        model.prefetch({lane.node}, word);
        ++l;
        continue;
      }
      if (lane.at >= lane.from) {
        const auto position = static_cast<std::size_t>(lane.at - ids);
        if (!block.own.empty()) log10 += block.own[position];
        emit(lane.sentence, position, log10, context);
      }
      if (++lane.at != lane.end) {
        lane.node = next;
        lane.backoff = 0.0f;
        model.prefetch({next}, *lane.at);
        ++l;
      } else if (load(lane)) {
        ++l;
      } else {
        // The last lane takes the place of the one that is done, and its turn.
        lane = lanes[--active];
      }
    }
  }
}

// Every sentence of the block is a run.
template <typename Emit>
void score_block(const Model& model, const EncodedBlock& block, State start, const Emit& emit) {
  std::size_t i = 0;
  const WordId* at = block.ids.data();
  const auto next_run = [&](Run& run) {
    for (; i < block.ends.size(); ++i) {
      const WordId* const end = block.ids.data() + block.ends[i];
      if (at == end) continue;
      run = {at, at, end, start.node, i++};
      at = end;
      return true;
    }
    return false;
  };
  score_runs(model, block, next_run, emit);
}

// The block's only sentence, as several runs. A state remembers at most order − 1 words, so a run
// in the middle that starts so many words earlier knows what the whole sentence would know.
template <typename Emit>
void score_pieces(const Model& model, const EncodedBlock& block, State start, const Emit& emit) {
  const std::size_t size = block.ids.size(), memory = static_cast<std::size_t>(model.order()) - 1;
  const std::size_t piece = std::max(memory + 1, (size + kPieces - 1) / kPieces);
  const WordId* const ids = block.ids.data();
  std::size_t from = 0;
  const auto next_run = [&](Run& run) {
    if (from >= size) return false;
    const std::size_t first = from - std::min(from, memory), end = std::min(from + piece, size);
    run = {ids + first, ids + from, ids + end, first == 0 ? start.node : 0, 0};
    from = end;
    return true;
  };
  score_runs(model, block, next_run, emit);
}

State start_state(const Model& model, SentenceOptions options) {
  return options.begin ? model.begin_state() : Model::null_state();
}

}  // namespace

std::vector<double> score_sentences(const Model& model, std::span<const std::string_view> sentences,
                                    SentenceOptions options, int threads) {
  std::vector<double> totals(sentences.size(), 0.0);
  std::vector<EncodedBlock> scratch(engine::resolve_threads(threads));
  const std::size_t blocks = (sentences.size() + kBlock - 1) / kBlock;
  engine::parallel_for_worker(blocks, threads, [&](std::size_t b, int worker) {
    const std::size_t begin = b * kBlock;
    EncodedBlock& block = scratch[worker];
    block.fill(model, sentences.subspan(begin, std::min(kBlock, sentences.size() - begin)),
               options.end);
    double* const out = totals.data() + begin;
    score_block(model, block, start_state(model, options),
                [out](std::size_t sentence, std::size_t, float log10, std::uint32_t) {
                  out[sentence] += log10;
                });
  });
  return totals;
}

WordScores score_words(const Model& model, std::span<const std::string_view> sentences,
                       SentenceOptions options, int threads) {
  const std::size_t blocks = (sentences.size() + kBlock - 1) / kBlock;
  std::vector<EncodedBlock> encoded(blocks);
  engine::parallel_for(blocks, threads, [&](std::size_t b) {
    const std::size_t begin = b * kBlock;
    encoded[b].fill(model, sentences.subspan(begin, std::min(kBlock, sentences.size() - begin)),
                    options.end);
  });
  WordScores out;
  out.offsets.push_back(0);
  std::vector<std::size_t> first(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    first[b] = out.offsets.back();
    for (const std::size_t end : encoded[b].ends) out.offsets.push_back(first[b] + end);
  }
  const std::size_t words = out.offsets.back();
  out.log10.resize(words);
  out.length.resize(words);
  out.words.resize(words);
  engine::parallel_for(blocks, threads, [&](std::size_t b) {
    const EncodedBlock& block = encoded[b];
    std::copy(block.ids.begin(), block.ids.end(), out.words.begin() + first[b]);
    float* const log10s = out.log10.data() + first[b];
    std::uint8_t* const lengths = out.length.data() + first[b];
    score_block(model, block, start_state(model, options),
                [&](std::size_t, std::size_t position, float log10, std::uint32_t context) {
                  log10s[position] = log10;
                  lengths[position] = static_cast<std::uint8_t>(model.length({context}) + 1);
                });
  });
  return out;
}

double score_sentence(const Model& model, std::string_view sentence, SentenceOptions options) {
  EncodedBlock block;
  block.fill_alone(model, sentence, options.end);
  std::vector<float> scores(block.ids.size());
  score_pieces(model, block, start_state(model, options),
               [&](std::size_t, std::size_t position, float log10, std::uint32_t) {
                 scores[position] = log10;
               });
  return std::accumulate(scores.begin(), scores.end(), 0.0);
}

WordScores score_words(const Model& model, std::string_view sentence, SentenceOptions options) {
  EncodedBlock block;
  block.fill_alone(model, sentence, options.end);
  const std::size_t size = block.ids.size();
  WordScores out{{0, size}, std::vector<float>(size), std::vector<std::uint8_t>(size), {}};
  score_pieces(model, block, start_state(model, options),
               [&](std::size_t, std::size_t position, float log10, std::uint32_t context) {
                 out.log10[position] = log10;
                 out.length[position] = static_cast<std::uint8_t>(model.length({context}) + 1);
               });
  out.words = std::move(block.ids);
  return out;
}

}  // namespace tunesmith::lm
