#include "lm/model.hh"

#include "base/array_file.hh"
#include "base/error.hh"

namespace tunesmith::lm {
namespace {

constexpr std::string_view kKind = "lm";
constexpr std::uint32_t kVersion = 1;

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

std::shared_ptr<const Model> Model::map(const std::string& path, std::uint64_t verify_up_to) {
  const auto file = std::make_shared<const ArrayFile>(path, kKind, kVersion);
  const bool verify = file->size() <= verify_up_to;
  if (verify) file->verify();
  const std::shared_ptr<Model> model(new Model());
  model->vocabulary_ = Vocabulary(file->array<char>("vocabulary.bytes"),
                                  file->array<std::uint64_t>("vocabulary.ends"),
                                  file->array<Vocabulary::Slot>("vocabulary.slots"));
  model->unigrams_ = file->array<Unigram>("unigrams");
  model->nodes_ = file->array<Node>("nodes");
  model->buckets_ = file->array<Bucket>("buckets");
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
  model->check(path, verify);
  return model;
}

// That the arrays fit together; with `contents`, that no query can leave them or run for ever,
// whoever wrote the file.
void Model::check(const std::string& path, bool contents) const {
  const auto require = [&](bool good, const char* what) {
    if (!good)
      throw InputError(path, 0, std::string("broken ") + what, "a whole language model",
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
  require(!buckets_.empty(), "table");
  require(classed_words_.size() == words_.size(), "list of words");
  const auto require_outline = [&](const Vocabulary& vocabulary, const char* what) {
    const auto slots = vocabulary.slots();
    require(!slots.empty() && (slots.size() & (slots.size() - 1)) == 0, what);
    require(vocabulary.ends().back() == vocabulary.bytes().size(), what);
  };
  require_outline(vocabulary_, "vocabulary");
  if (has_classes()) require_outline(words_, "list of words");
  if (!contents) return;

  const auto require_contents = [&](const Vocabulary& vocabulary, const char* what) {
    std::uint64_t last = 0;
    for (const std::uint64_t end : vocabulary.ends()) {
      require(end >= last, what);
      last = end;
    }
    bool empty = false;
    for (const auto& slot : vocabulary.slots()) {
      require(slot.id < vocabulary.size() || slot.id == Vocabulary::kMissing, what);
      empty |= slot.id == Vocabulary::kMissing;
    }
    require(empty, what);
  };
  require_contents(vocabulary_, "vocabulary");
  if (has_classes()) require_contents(words_, "list of words");
  for (const ClassedWord& word : classed_words_) require(word.id < words, "list of words");
  // Suffixes go down, so every walk ends.
  for (std::size_t i = 1; i < nodes_.size(); ++i) require(nodes_[i].suffix < i, "nodes");
  for (const Unigram& unigram : unigrams_) require(unigram.next < nodes_.size(), "unigrams");
  bool empty = false;
  for (const Bucket& bucket : buckets_) {
    for (const Entry& entry : bucket.entries) {
      require(entry.next < nodes_.size(), "table");
      empty |= entry.context == Entry::kEmpty;
      require(
          entry.context == Entry::kEmpty || (entry.context < nodes_.size() && entry.word < words),
          "table");
    }
  }
  require(empty, "table");
}

}  // namespace tunesmith::lm
