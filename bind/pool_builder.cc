#include "tune/pool_builder.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "base/error.hh"
#include "mapped.hh"
#include "nbest.hh"
#include "pool.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

auto read_list(tune::PoolBuilder& self, const std::string& path, std::optional<bind::Blocks> blocks,
               std::string_view dialect) {
  formats::NbestReadOptions options;
  options.dialect = formats::nbest_dialect(dialect);
  options.skip_bad_lines = self.options().skip_bad_lines;
  options.threads = self.options().threads;
  options.sentences = self.sentences();
  if (self.sentences() != tune::PoolBuilder::kAnyNumber)
    options.ids_are = "the references have " + std::to_string(self.sentences()) + " lines";
  self.begin_list();
  formats::NbestReader reader(path, self.schema(), self, options);
  const formats::NbestReport report = bind::read_all(reader, blocks);
  {
    nb::gil_scoped_release release;
    self.end_list(report, path);
  }
  return bind::tuple_of(nb::str(formats::nbest_dialect_name(report.dialect).data()), report.lines,
                        report.skipped);
}

void add_batch(tune::PoolBuilder& self, bind::In<std::uint32_t> sentences, bind::Lines texts,
               bind::In<float, 2> dense, std::vector<std::string> dense_names,
               bind::In<std::int64_t> sparse_offsets, bind::In<std::uint32_t> sparse_ids,
               bind::In<float> sparse_values, std::vector<std::string> sparse_names) {
  tune::HypothesisBatch batch;
  batch.sentences = bind::span_of(sentences);
  batch.texts = bind::views_of(texts);
  batch.dense = dense.data();
  batch.dense_names = std::move(dense_names);
  batch.sparse_offsets = bind::span_of(sparse_offsets);
  batch.sparse_ids = bind::span_of(sparse_ids);
  batch.sparse_values = bind::span_of(sparse_values);
  batch.sparse_names = std::move(sparse_names);
  const std::size_t rows = batch.texts.size();
  if (batch.sentences.size() != rows || dense.shape(0) != rows ||
      dense.shape(1) != batch.dense_names.size() || batch.sparse_offsets.size() != rows + 1)
    throw OptionError("sentences, texts and features of a batch differ in number");
  for (std::size_t i = 0; i < rows; ++i) {
    if (batch.sentences[i] >= self.sentences())
      throw OptionError("sentence " + std::to_string(batch.sentences[i]) +
                        " of a batch has no references");
    if (i > 0 && batch.sentences[i] < batch.sentences[i - 1])
      throw OptionError("the sentences of a batch must ascend");
    if (batch.sparse_offsets[i + 1] < batch.sparse_offsets[i])
      throw OptionError("sparse offsets must not fall");
  }
  if (batch.sparse_offsets.front() != 0 ||
      batch.sparse_offsets.back() != static_cast<std::int64_t>(batch.sparse_ids.size()) ||
      batch.sparse_ids.size() != batch.sparse_values.size())
    throw OptionError("sparse offsets do not cover the sparse values");
  for (const std::uint32_t id : batch.sparse_ids)
    if (id >= batch.sparse_names.size()) throw OptionError("a sparse id without a name");
  nb::gil_scoped_release release;
  self.add(batch);
}

// What a pool is made of, by the names that Python's KBestPool has, and the columns of the metric.
struct PoolParts {
  bind::Out<std::int64_t> offsets;
  bind::Out<float> dense;
  std::vector<std::string> dense_names;
  bind::Out<std::int64_t> sparse_offsets;
  bind::Out<std::uint32_t> sparse_ids;
  bind::Out<float> sparse_values;
  std::vector<std::string> sparse_names;
  bind::Out<std::int32_t> stats;
  bind::Out<std::uint64_t> keys;
  bind::Out<float> columns;
  bind::Out<std::int64_t> sentences;
  std::optional<bind::Out<char>> text_bytes;
  std::optional<bind::Out<std::int64_t>> text_offsets;
};

PoolParts finish_pool(tune::PoolBuilder& self) {
  std::optional<tune::PoolRows> rows;
  {
    nb::gil_scoped_release release;
    rows = self.finish();
  }
  const std::size_t count = rows->rows();
  const std::size_t width = self.dense_names().size(), columns = self.options().columns.size();
  PoolParts out;
  out.offsets = bind::to_numpy(std::move(rows->offsets));
  out.dense = bind::to_numpy(std::move(rows->dense), {count, width});
  out.dense_names = self.dense_names();
  out.sparse_offsets = bind::to_numpy(std::move(rows->sparse_offsets));
  out.sparse_ids = bind::to_numpy(std::move(rows->sparse_ids));
  out.sparse_values = bind::to_numpy(std::move(rows->sparse_values));
  out.sparse_names = bind::names_of(self.sparse_names());
  out.stats =
      bind::to_numpy(std::move(rows->stats), {count, static_cast<std::size_t>(self.stats_size())});
  out.keys = bind::to_numpy(std::move(rows->keys));
  out.columns = bind::to_numpy(std::move(rows->columns), {count, columns});
  out.sentences = bind::to_numpy(std::move(rows->sentences));
  if (self.options().keep_texts) {
    out.text_bytes = bind::to_numpy(std::move(rows->texts.bytes));
    out.text_offsets = bind::to_numpy(std::move(rows->texts.offsets));
  }
  return out;
}

}  // namespace

void register_pool_builder(nb::module_& m) {
  nb::class_<PoolParts>(m, "PoolParts")
      .def_ro("offsets", &PoolParts::offsets, bind::kShared)
      .def_ro("dense", &PoolParts::dense, bind::kShared)
      .def_ro("dense_names", &PoolParts::dense_names)
      .def_ro("sparse_offsets", &PoolParts::sparse_offsets, bind::kShared)
      .def_ro("sparse_ids", &PoolParts::sparse_ids, bind::kShared)
      .def_ro("sparse_values", &PoolParts::sparse_values, bind::kShared)
      .def_ro("sparse_names", &PoolParts::sparse_names)
      .def_ro("stats", &PoolParts::stats, bind::kShared)
      .def_ro("keys", &PoolParts::keys, bind::kShared)
      .def_ro("columns", &PoolParts::columns, bind::kShared)
      .def_ro("sentences", &PoolParts::sentences, bind::kShared)
      .def_ro("text_bytes", &PoolParts::text_bytes, bind::kShared)
      .def_ro("text_offsets", &PoolParts::text_offsets, bind::kShared);
  nb::class_<tune::PoolBuilder>(m, "PoolBuilder")
      .def(
          "__init__",
          [](tune::PoolBuilder* self, std::shared_ptr<const metrics::SegmentScorer> scorer,
             std::vector<std::string> columns, std::vector<std::string> dense, std::string total,
             bool drop_sparse, bool keep_texts, bool skip_bad_lines, int threads) {
            new (self) tune::PoolBuilder(std::move(scorer),
                                         {std::move(columns), std::move(dense), std::move(total),
                                          drop_sparse, keep_texts, skip_bad_lines, threads});
          },
          "scorer"_a.none(), "columns"_a, "dense"_a, "total"_a, "drop_sparse"_a, "keep_texts"_a,
          "skip_bad_lines"_a, "threads"_a)
      .def("read", read_list, "path"_a, "blocks"_a.none(), "dialect"_a)
      .def("add", add_batch, "sentences"_a, "texts"_a, "dense"_a, "dense_names"_a,
           "sparse_offsets"_a, "sparse_ids"_a, "sparse_values"_a, "sparse_names"_a)
      .def(
          "add_pool",
          [](tune::PoolBuilder& self, const bind::PoolArrays& pool, bind::In<std::uint64_t> keys,
             bind::Lines texts, const std::vector<std::string>& dense_names,
             const std::vector<std::string>& sparse_names) {
            if (keys.size() != static_cast<std::size_t>(pool.view.rows()) ||
                dense_names.size() != static_cast<std::size_t>(pool.view.dense_size) ||
                sparse_names.size() != static_cast<std::size_t>(pool.view.sparse_size))
              throw OptionError("keys or names of a pool do not fit its arrays");
            const std::vector<std::string_view> views = bind::views_of(texts);
            if (self.options().keep_texts && views.size() != keys.size())
              throw OptionError("a pool that keeps texts takes no pool without them");
            nb::gil_scoped_release release;
            self.add_pool(pool.view, bind::span_of(keys), views, dense_names, sparse_names);
          },
          "pool"_a, "keys"_a, "texts"_a, "dense_names"_a, "sparse_names"_a)
      .def("finish", finish_pool)
      .def_prop_ro("duplicates", &tune::PoolBuilder::duplicates)
      .def_prop_ro("empty_sentences", &tune::PoolBuilder::empty_sentences);
}
