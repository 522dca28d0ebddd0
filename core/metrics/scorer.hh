// Text in, sufficient statistics out: what whoever reads hypotheses needs of a metric.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tunesmith::metrics {

// References as they come: one list of sentences per reference file, all of the same length.
using References = std::vector<std::vector<std::string_view>>;

// The number of sentences; an OptionError if the references disagree or there are none.
std::uint32_t count_sentences(const References& references);

// A metric with its prepared references. Immutable, so that any number of threads may share it.
class SegmentScorer {
 public:
  virtual ~SegmentScorer() = default;
  // The number of statistics of a hypothesis.
  virtual int size() const = 0;
  // The number of sentences that have references.
  virtual std::uint32_t sentences() const = 0;
  // Writes size() statistics of `hypothesis` (valid UTF-8, possibly empty) against the references
  // of `sentence` (which must be below sentences()). Safe to call from many threads at once; the
  // caller must not hold Python's global lock where a tokeniser is Python's.
  virtual void stats(std::uint32_t sentence, std::string_view hypothesis,
                     std::int32_t* out) const = 0;
};

// Ready scores: the text says nothing, so the value is 0 until whoever has the column fills it in.
class ColumnScorer final : public SegmentScorer {
 public:
  explicit ColumnScorer(std::uint32_t sentences) : sentences_(sentences) {}
  int size() const override { return 2; }
  std::uint32_t sentences() const override { return sentences_; }
  void stats(std::uint32_t, std::string_view, std::int32_t* out) const override {
    out[0] = 0;
    out[1] = 1;
  }

 private:
  std::uint32_t sentences_;
};

// The statistics of several scorers, one after the other.
class CombinedScorer final : public SegmentScorer {
 public:
  // All parts have the same number of sentences.
  explicit CombinedScorer(std::vector<std::shared_ptr<const SegmentScorer>> parts);
  int size() const override { return size_; }
  std::uint32_t sentences() const override { return parts_.front()->sentences(); }
  void stats(std::uint32_t sentence, std::string_view hypothesis, std::int32_t* out) const override;

 private:
  std::vector<std::shared_ptr<const SegmentScorer>> parts_;
  int size_ = 0;
};

// stats() of hypothesis i into row i of out[hypotheses][size], on `threads` threads. A sentence
// number that has no references is an OptionError.
void batch_stats(const SegmentScorer& scorer, const std::vector<std::string_view>& hypotheses,
                 const std::uint32_t* sentences, std::int32_t* out, int threads);

}  // namespace tunesmith::metrics
