#include "corpus/encode.hh"

#include <algorithm>

#include "base/error.hh"
#include "base/words.hh"
#include "engine/parallel.hh"

namespace tunesmith::corpus {

namespace {

// Lines that one thread takes at a time.
constexpr std::size_t kChunk = 2048;

// What one thread makes of one chunk while the vocabulary is only read.
struct Chunk {
  std::vector<std::uint32_t> ids;      // of known words; of new words their id in `fresh`
  std::vector<std::uint32_t> lengths;  // words per line
  StringIndex fresh;                   // the chunk's new words
  std::vector<std::uint32_t> patches;  // positions in `ids` that hold new words
};

void encode_chunk(const StringIndex& vocabulary, std::span<const std::string_view> lines,
                  bool keep_new, Chunk& chunk) {
  chunk.lengths.reserve(lines.size());
  for (const std::string_view line : lines) {
    const std::size_t before = chunk.ids.size();
    for_each_word(line, [&](std::string_view word) {
      std::uint32_t id = vocabulary.find(word);
      if (id == StringIndex::kMissing && keep_new) {
        id = chunk.fresh.add(word);
        chunk.patches.push_back(static_cast<std::uint32_t>(chunk.ids.size()));
      }
      chunk.ids.push_back(id);
    });
    chunk.lengths.push_back(static_cast<std::uint32_t>(chunk.ids.size() - before));
  }
}

std::vector<Chunk> encode_chunks(const StringIndex& vocabulary,
                                 std::span<const std::string_view> lines, bool keep_new,
                                 int threads) {
  std::vector<Chunk> chunks((lines.size() + kChunk - 1) / kChunk);
  engine::parallel_for(chunks.size(), threads, [&](std::size_t i) {
    const auto part = lines.subspan(i * kChunk, std::min(kChunk, lines.size() - i * kChunk));
    encode_chunk(vocabulary, part, keep_new, chunks[i]);
  });
  return chunks;
}

EncodedLines join(std::span<const Chunk> chunks, std::size_t lines) {
  EncodedLines out;
  std::size_t words = 0;
  for (const Chunk& chunk : chunks) words += chunk.ids.size();
  out.ids.reserve(words);
  out.offsets.reserve(lines + 1);
  out.offsets.push_back(0);
  for (const Chunk& chunk : chunks) {
    for (const std::uint32_t length : chunk.lengths)
      out.offsets.push_back(out.offsets.back() + length);
    out.ids.insert(out.ids.end(), chunk.ids.begin(), chunk.ids.end());
  }
  return out;
}

}  // namespace

EncodedLines encode_lines(StringIndex& vocabulary, std::span<const std::string_view> lines,
                          int threads) {
  std::vector<Chunk> chunks = encode_chunks(vocabulary, lines, true, threads);
  // Chunks in order, and in each the new words in order of appearance: the order of the text.
  for (Chunk& chunk : chunks) {
    std::vector<std::uint32_t> global(chunk.fresh.size());
    for (std::uint32_t id = 0; id < global.size(); ++id)
      global[id] = vocabulary.add(chunk.fresh.text(id));
    for (const std::uint32_t position : chunk.patches)
      chunk.ids[position] = global[chunk.ids[position]];
  }
  return join(chunks, lines.size());
}

EncodedLines encode_known(const StringIndex& vocabulary, std::span<const std::string_view> lines,
                          int threads) {
  return join(encode_chunks(vocabulary, lines, false, threads), lines.size());
}

std::string decode_line(const StringIndex& vocabulary, std::span<const std::uint32_t> ids) {
  std::string line;
  for (const std::uint32_t id : ids) {
    if (id >= vocabulary.size())
      throw Error("word id " + std::to_string(id) + " is not in a vocabulary of " +
                  std::to_string(vocabulary.size()) + " words");
    if (!line.empty()) line += ' ';
    line += vocabulary.text(id);
  }
  return line;
}

}  // namespace tunesmith::corpus
