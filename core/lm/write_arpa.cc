#include <numeric>

#include "lm/arpa_printer.hh"
#include "lm/ngrams.hh"

namespace tunesmith::lm {

void write_arpa(const Ngrams& ngrams, const std::function<void(std::string_view)>& write) {
  ArpaPrinter printer(write);
  printer.header(ngrams.counts);
  std::vector<std::vector<WordId>> firsts;  // the first word of every n-gram, by order
  for (int n = 1; n <= ngrams.order(); ++n) {
    const OrderNgrams& list = ngrams.orders[n - 1];
    std::vector<WordId>& first = firsts.emplace_back(list.size());
    if (n == 1) std::iota(first.begin(), first.end(), 0);
    for (std::size_t i = 0; n > 1 && i < list.size(); ++i)
      first[i] = firsts[n - 2][list.context[i]];

    printer.section(n);
    const std::size_t begin = n == 1 && !ngrams.has_unknown;
    std::string rest;  // the words behind the first; neighbours in a sorted list share them
    std::uint32_t rest_of = 0xFFFFFFFF;
    for (std::size_t i = begin; i < begin + ngrams.counts[n - 1]; ++i) {
      if (n > 1 && list.suffix[i] != rest_of) {
        rest_of = list.suffix[i];
        rest.clear();
        std::uint32_t place = rest_of;
        for (int k = n - 1; k >= 1; --k) {
          rest += ' ';
          rest += ngrams.vocabulary.text(firsts[k - 1][place]);
          place = ngrams.orders[k - 1].suffix[place];
        }
      }
      printer.line(list.log10[i], ngrams.vocabulary.text(first[i]), rest);
      if (n < ngrams.order()) printer.backoff(list.backoff[i]);
      printer.end_line();
    }
  }
  printer.end();
}

}  // namespace tunesmith::lm
