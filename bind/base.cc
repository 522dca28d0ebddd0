#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "base/array_file.hh"
#include "base/error.hh"
#include "base/string_index.hh"
#include "base/weight_limit.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// The Python classes live in tunesmith.base.errors; ours become them on the way out.
template <typename... Arguments>
void raise_in_python(const char* name, const Arguments&... arguments) {
  nb::object type = nb::module_::import_("tunesmith.base.errors").attr(name);
  nb::object error = type(arguments...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const InputError& e) {
    raise_in_python("InputError", e.path(), e.line(), e.found(), e.expected(), e.remedy());
  } catch (const OptionError& e) {
    raise_in_python("OptionError", e.what());
  } catch (const Error& e) {
    raise_in_python("TunesmithError", e.what());
  }
}

std::string numpy_type(const ArrayEntry& entry) {
  return entry.type == "V" ? "V" + std::to_string(entry.item_size) : entry.type;
}

}  // namespace

void register_base(nb::module_& m) {
  nb::register_exception_translator(translate);
  m.attr("MAX_WEIGHT") = kMaxWeight;

  nb::class_<StringIndex>(m, "StringIndex")
      .def(nb::init<>())
      .def(
          "__init__",
          [](StringIndex* self, bind::In<std::uint8_t> bytes, bind::In<std::uint64_t> ends) {
            const std::span text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            new (self) StringIndex(text, bind::span_of(ends));
          },
          "bytes"_a, "ends"_a)
      .def("__len__", &StringIndex::size)
      .def("bytes",
           [](const StringIndex& self) {
             const auto bytes = self.bytes();
             return bind::to_numpy(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
           })
      .def("ends",
           [](const StringIndex& self) {
             const auto ends = self.ends();
             return bind::to_numpy(std::vector<std::uint64_t>(ends.begin(), ends.end()));
           })
      .def("add", &StringIndex::add, "text"_a)
      .def("find",
           [](const StringIndex& self, std::string_view text) -> std::int64_t {
             const std::uint32_t id = self.find(text);
             return id == StringIndex::kMissing ? -1 : static_cast<std::int64_t>(id);
           })
      .def("text", [](const StringIndex& self, std::uint32_t id) {
        if (id >= self.size()) throw nb::index_error();
        return std::string(self.text(id));
      });

  nb::class_<ArrayFileWriter>(m, "ArrayFileWriter")
      .def(nb::init<std::string, std::string_view, std::uint32_t>(), "path"_a, "kind"_a,
           "version"_a)
      .def(
          "add",
          [](ArrayFileWriter& self, std::string_view name, std::string_view type,
             std::uint32_t item_size, bind::In<std::uint8_t> bytes,
             std::vector<std::uint64_t> shape) {
            self.begin(name, type, item_size);
            self.append(bytes.data(), bytes.size());
            self.end(std::move(shape));
          },
          "name"_a, "type"_a, "item_size"_a, "bytes"_a, "shape"_a)
      .def("finish", &ArrayFileWriter::finish);

  nb::class_<ArrayFile>(m, "ArrayFile")
      .def(nb::init<const std::string&, std::string_view, std::uint32_t>(), "path"_a, "kind"_a,
           "version"_a)
      .def("entries",
           [](const ArrayFile& self) {
             std::vector<std::tuple<std::string, std::string, std::vector<std::uint64_t>>> out;
             for (const ArrayEntry& entry : self.entries())
               out.emplace_back(entry.name, numpy_type(entry), entry.shape);
             return out;
           })
      // All of an array, checked.
      .def("bytes", [](nb::handle_t<ArrayFile> self, std::string_view name) {
        const auto& file = nb::cast<const ArrayFile&>(self);
        std::span<const char> bytes;
        {
          const nb::gil_scoped_release release;
          bytes = file.bytes(name);
        }
        return bind::view(
            std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), self);
      });
}
