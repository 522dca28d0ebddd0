#include "lm/model.hh"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/array_file.hh"
#include "base/error.hh"
#include "base/utf8.hh"

namespace tunesmith::lm {
namespace {

constexpr std::string_view kKind = "lm";
constexpr std::uint32_t kVersion = 1;

// That every index in the table is one; places that are free have a next node too.
bool is_sound(const Bucket& bucket, std::size_t nodes, std::size_t words) {
  bool good = true;
  for (const Entry& entry : bucket.entries)
    good &= (entry.next < nodes) & bool(std::isfinite(entry.prob.stored)) &
            ((entry.context == Entry::kEmpty) | ((entry.context < nodes) & (entry.word < words)));
  return good;
}

bool has_free_place(const Bucket& bucket) {
  return std::any_of(std::begin(bucket.entries), std::end(bucket.entries),
                     [](const Entry& entry) { return entry.context == Entry::kEmpty; });
}

// That every word is text inside the bytes, and that every search ends.
bool is_sound(const Vocabulary& vocabulary) {
  const auto bytes = vocabulary.bytes();
  std::uint64_t begin = 0;
  for (const std::uint64_t end : vocabulary.ends()) {
    if (end < begin || end > bytes.size()) return false;
    if (!is_utf8({bytes.data() + begin, end - begin})) return false;
    begin = end;
  }
  const auto slots = vocabulary.slots();
  bool free_slot = false;
  for (const Vocabulary::Slot& slot : slots) {
    free_slot |= slot.id == Vocabulary::kMissing;
    if (slot.id >= vocabulary.size() && slot.id != Vocabulary::kMissing) return false;
  }
  return free_slot && begin == bytes.size() && std::has_single_bit(slots.size());
}

}  // namespace

Model::Model(ModelArrays&& arrays) {
  const auto kept = std::make_shared<ModelArrays>(std::move(arrays));
  vocabulary_ = Vocabulary(kept->vocabulary_bytes, kept->vocabulary_ends, kept->vocabulary_slots);
  unigrams_ = kept->unigrams;
  nodes_ = kept->nodes;
  buckets_ = kept->buckets;
  counts_ = kept->counts;
  node_begin_ = kept->node_begin;
  blanks_ = kept->blanks;
  has_unknown_ = kept->has_unknown;
  words_ = Vocabulary(kept->word_bytes, kept->word_ends, kept->word_slots);
  classed_words_ = kept->classed_words;
  storage_ = kept;
}

void Model::encode(std::string_view line, std::vector<WordId>& ids, std::vector<float>& own) const {
  if (!has_classes()) {
    for_each_word(line, [&](std::string_view word) { ids.push_back(vocabulary_.word(word)); });
    return;
  }
  for_each_word(line, [&](std::string_view word) {
    const ClassedWord found = lookup(word);
    ids.push_back(found.id);
    own.push_back(found.log10);
  });
}

void Model::save(const std::string& path) const {
  ArrayFileWriter writer(path, kKind, kVersion);
  writer.add("vocabulary.bytes", vocabulary_.bytes());
  writer.add("vocabulary.ends", vocabulary_.ends());
  writer.add("vocabulary.slots", vocabulary_.slots());
  writer.add("unigrams", unigrams_);
  writer.add("nodes", nodes_);
  writer.add("buckets", buckets_);
  writer.add("counts", counts_);
  writer.add("node_begin", node_begin_);
  writer.add("blanks", blanks_);
  writer.add("has_unknown", std::vector<std::uint8_t>{has_unknown_});
  if (has_classes()) {
    writer.add("words.bytes", words_.bytes());
    writer.add("words.ends", words_.ends());
    writer.add("words.slots", words_.slots());
    writer.add("words.classes", classed_words_);
  }
  writer.finish();
}

std::shared_ptr<const Model> Model::map(const std::string& path) {
  const auto file = std::make_shared<const ArrayFile>(path, kKind, kVersion);
  const std::shared_ptr<Model> model(new Model());
  model->path_ = path;
  model->vocabulary_ = Vocabulary(file->array<char>("vocabulary.bytes"),
                                  file->array<std::uint64_t>("vocabulary.ends"),
                                  file->array<Vocabulary::Slot>("vocabulary.slots"));
  model->unigrams_ = file->array<Unigram>("unigrams");
  model->nodes_ = file->array<Node>("nodes");
  auto buckets = file->checked<Bucket>("buckets");
  // Most of the file: looked at while it is in the cache for its checksum.
  buckets.expect_each([nodes = model->nodes_.size(), words = model->vocabulary_.size()](
                          const Bucket& bucket) { return is_sound(bucket, nodes, words); });
  model->buckets_ = buckets.all();
  model->counts_ = file->array<std::uint64_t>("counts");
  model->node_begin_ = file->array<std::uint32_t>("node_begin");
  model->blanks_ = file->array<std::uint64_t>("blanks");
  const auto has_unknown = file->array<std::uint8_t>("has_unknown");
  model->has_unknown_ = !has_unknown.empty() && has_unknown[0] != 0;
  if (file->has("words.ends")) {
    model->words_ =
        Vocabulary(file->array<char>("words.bytes"), file->array<std::uint64_t>("words.ends"),
                   file->array<Vocabulary::Slot>("words.slots"));
    model->classed_words_ = file->array<ClassedWord>("words.classes");
  }
  model->storage_ = file;
  model->file_ = file.get();
  model->check();
  return model;
}

void Model::give_back() const {
  if (file_ != nullptr) file_->give_back();
}

void Model::check() const {
  const auto require = [&](bool good, const char* what) {
    if (!good)
      throw InputError(path_, 0, std::string("broken ") + what, "a whole language model",
                       "make the file again with `tunesmith lm convert`");
  };
  const std::size_t words = vocabulary_.size();
  require(order() >= 1 && order() <= kMaxOrder, "order");
  require(words > kEnd && unigrams_.size() == words, "vocabulary");
  require(node_begin_.size() == counts_.size() && !nodes_.empty() && nodes_[0].suffix == 0 &&
              node_begin_.back() == nodes_.size(),
          "nodes");
  std::uint32_t begin = 1;
  for (const std::uint32_t next : node_begin_) {
    require(next >= begin, "nodes");
    begin = next;
  }
  require(counts_[0] + !has_unknown_ == words, "counts");
  require(is_sound(vocabulary_), "vocabulary");
  require(classed_words_.size() == words_.size() && (!has_classes() || is_sound(words_)),
          "list of words");
  for (const ClassedWord& word : classed_words_)
    require(word.id < words && std::isfinite(word.log10), "list of words");
  // Suffixes go down, so every walk ends.
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    require((i == 0 || nodes_[i].suffix < i) && std::isfinite(nodes_[i].backoff), "nodes");
  for (const Unigram& unigram : unigrams_)
    require(unigram.next < nodes_.size() && std::isfinite(unigram.prob.stored), "unigrams");
  // Where a search for an n-gram that is not there ends.
  require(std::any_of(buckets_.begin(), buckets_.end(), has_free_place), "table");
}

}  // namespace tunesmith::lm
