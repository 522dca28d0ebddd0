// Every reader of graphs meets damaged text: it is read as a graph or refused, nothing else
// happens, and what was read is written and read again. To be run under the address and
// undefined-behaviour sanitisers too.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hh"
#include "graph/read_graphs.hh"
#include "graph/write_graphs.hh"
#include "tests/damaged.hh"

using namespace tunesmith;

namespace {

struct Seed {
  const char* format;
  std::string text;
};

const std::vector<Seed> kSeeds = {
    {"moses",
     "0 hyp=0 stack=0 forward=1 fscore=-3\n"
     "0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-2 covered=0-0 out=a b\n"
     "0 hyp=2 stack=1 back=0 score=-1 transition=-1 recombined=1 forward=3 fscore=-2 covered=0-0 "
     "out=c\n0 hyp=3 stack=2 back=1 score=-1 transition=-1 forward=-1 fscore=0 covered=1-1 "
     "out=d\n"},
    {"moses",
     "2 hyp=4 stack=1 back=0 transition=0 forward=-1 fscore=0 covered=0-2 "
     "scores=\"core=(1,-2.5e-3,0) x=1 y=2\" out=\"q|a b\"\n"},
    {"cdec",
     "{\"rules\":[1,\"[X] ||| q ||| a\",2,\"[X] ||| [X,1] [X,2] ||| [2] b [1]\"],\"features\":["
     "\"f\",\"g\"],\"edges\":[{\"tail\":[],\"spans\":[0,1,-1,-1],\"feats\":[0,1.5,\"h\",2],"
     "\"rule\":1}],\"node\":{\"in_edges\":[0],\"cat\":\"X\"},\"edges\":[{\"tail\":[0,0],"
     "\"feats\":[1,-1],\"rule\":2}],\"node\":{\"in_edges\":[1]}}\n\n"},
    {"plf", "((('a',1.0,1),),(('b',0.5,2),('\\'c',0.25,1),),(('*EPS*',1,1),),)\n()\n"},
};

std::unique_ptr<graph::GraphReader> read(const char* format, const std::string& text) {
  auto reader = graph::make_graph_reader(format, "graphs", {});
  for (std::size_t at = 0; at < text.size(); at += 7)
    reader->feed(std::string_view(text).substr(at, 7));
  reader->finish();
  return reader;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
  Random random(1);
  long good = 0, refused = 0, written = 0;
  for (int round = 0; round < rounds; ++round)
    for (const Seed& seed : kSeeds) {
      std::unique_ptr<graph::GraphReader> reader;
      try {
        reader = read(seed.format, damaged(seed.text, random));
      } catch (const InputError&) {
        ++refused;
        continue;
      }
      ++good;
      std::vector<std::string> features;
      for (std::uint32_t i = 0; i < reader->features().size(); ++i)
        features.emplace_back(reader->features().text(i));
      const graph::GraphPoolView pool =
          reader->pool().view(static_cast<std::int64_t>(features.size()));
      graph::check_graphs(pool, &features);  // whatever passes a reader is a graph
      for (const char* format : {"moses", "cdec", "plf"}) {
        std::string text;
        try {
          for (std::int64_t s = 0; s < pool.sentences(); ++s)
            text += graph::graph_as_text(format, pool.sentence(s), static_cast<std::size_t>(s),
                                         {reader->pool().vocabulary, features}, nullptr);
        } catch (const OptionError&) {
          continue;  // what the format cannot hold
        }
        read(format, text);
        ++written;
      }
    }
  return good > 0 && refused > 0 && written > 0 ? 0 : 1;
}
