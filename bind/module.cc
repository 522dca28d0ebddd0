// The private native module tunesmith._core: one register function per room.
#include <nanobind/nanobind.h>

#include "rooms.hh"

NB_MODULE(_core, m) {
  m.doc() = "Native parts of Tunesmith, one set of names per room.";
  register_all_rooms(m);
}
