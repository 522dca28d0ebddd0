#include "lm/batch.hh"

#include "engine/parallel.hh"

namespace tunesmith::lm {
namespace {

// Sentences whose turns alternate: enough to cover a memory access, few enough to stay in L1.
constexpr std::size_t kLanes = 12;
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
};

struct Lane {
  const WordId* at;
  const WordId* end;
  std::uint32_t node;
  float backoff;
};

// Calls emit(sentence, position in ids, log10, context node) for every word; the words of one
// sentence come in order.
template <typename Emit>
void score_block(const Model& model, const EncodedBlock& block, State start, const Emit& emit) {
  Lane lanes[kLanes];
  std::size_t sentence_of[kLanes];
  std::size_t active = 0, next_sentence = 0;
  const WordId* const ids = block.ids.data();
  const Unigram* const unigrams = model.unigrams().data();
  const Node* const nodes = model.nodes().data();

  const auto load = [&](std::size_t lane) {
    while (next_sentence < block.ends.size()) {
      const std::size_t i = next_sentence++;
      const std::size_t begin = i == 0 ? 0 : block.ends[i - 1];
      if (begin == block.ends[i]) continue;
      lanes[lane] = {ids + begin, ids + block.ends[i], start.node, 0.0f};
      sentence_of[lane] = i;
      model.prefetch(start, ids[begin]);
      return true;
    }
    return false;
  };

  while (active < kLanes && load(active)) ++active;
  while (active > 0) {
    for (std::size_t l = 0; l < active;) {
      Lane& lane = lanes[l];
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
      const auto position = static_cast<std::size_t>(lane.at - ids);
      if (!block.own.empty()) log10 += block.own[position];
      emit(sentence_of[l], position, log10, context);
      if (++lane.at != lane.end) {
        lane.node = next;
        lane.backoff = 0.0f;
        model.prefetch({next}, *lane.at);
        ++l;
      } else if (load(l)) {
        ++l;
      } else {
        // The last lane takes the place of the one that is done, and its turn.
        --active;
        lanes[l] = lanes[active];
        sentence_of[l] = sentence_of[active];
      }
    }
  }
}

State start_state(const Model& model, SentenceOptions options) {
  return options.begin ? model.begin_state() : Model::null_state();
}

}  // namespace

std::vector<double> score_sentences(const Model& model, std::span<const std::string_view> sentences,
                                    SentenceOptions options, int threads) {
  std::vector<double> totals(sentences.size(), 0.0);
  std::vector<EncodedBlock> scratch(resolve_threads(threads));
  const std::size_t blocks = (sentences.size() + kBlock - 1) / kBlock;
  parallel_for_worker(blocks, threads, [&](std::size_t b, int worker) {
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
  parallel_for(blocks, threads, [&](std::size_t b) {
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
  parallel_for(blocks, threads, [&](std::size_t b) {
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

}  // namespace tunesmith::lm
