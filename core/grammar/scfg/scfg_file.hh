// Grammars in binary files, which are mapped: rules that are looked up often and need not all be in
// memory at a time.
#pragma once

#include <memory>
#include <string>

#include "grammar/scfg/read_scfg.hh"

namespace tunesmith::grammar {

void save_scfg(const ScfgGrammar& grammar, const std::string& path);

// Throws InputError where the file is none of these, or its rules make no sense. Nothing can be
// added to the grammar.
std::shared_ptr<ScfgGrammar> load_scfg(const std::string& path);

}  // namespace tunesmith::grammar
