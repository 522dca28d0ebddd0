#include "metrics/overlap.hh"

#include <algorithm>

#include "metrics/text.hh"

namespace tunesmith::metrics {

BleuOverlap::BleuOverlap(int order, Preprocess preprocess)
    : order_(order), preprocess_(std::move(preprocess)) {
  check_bleu_order(order);
}

void BleuOverlap::split(std::string_view text, Preprocess::Scratch& scratch,
                        Symbols& symbols) const {
  symbols.resize(1);
  split_words(preprocess_(text, scratch), symbols[0]);
}

void BleuOverlap::stats(const double* matches, const double* hypothesis, const double* reference,
                        double* out) const {
  std::copy_n(matches, order_, out);
  std::copy_n(hypothesis, order_, out + order_);
  out[2 * order_] = hypothesis[0];
  out[2 * order_ + 1] = reference[0];
}

ChrfOverlap::ChrfOverlap(ChrfOptions options) : options_(std::move(options)) {
  check_chrf_orders(options_);
}

std::vector<int> ChrfOverlap::orders() const {
  if (options_.word_order == 0) return {options_.char_order};
  return {options_.char_order, options_.word_order};
}

void ChrfOverlap::split(std::string_view text, Preprocess::Scratch& scratch,
                        Symbols& symbols) const {
  symbols.resize(options_.word_order > 0 ? 2 : 1);
  const std::string_view ready = options_.preprocess(text, scratch);
  split_characters(ready, options_.whitespace, symbols[0]);
  if (options_.word_order > 0) split_chrf_words(ready, symbols[1]);
}

void ChrfOverlap::stats(const double* matches, const double* hypothesis, const double* reference,
                        double* out) const {
  const int orders = options_.char_order + options_.word_order;
  for (int n = 0; n < orders; ++n, out += 3) {
    // As in ChrfScorer: an order that the reference is too short for does not count.
    out[0] = reference[n] > 0.0 ? hypothesis[n] : 0.0;
    out[1] = reference[n];
    out[2] = matches[n];
  }
}

}  // namespace tunesmith::metrics
