// A checksum at the speed of memory, for contents of files: the same value on every machine.
//
// Four lanes that do not wait for each other take 16 of 64 bytes each and fold them in by a product
// of 128 bits, as wyhash does (Wang Yi, 2019). It finds damage, not malice: whoever changes a file
// can compute it anew, so what is read must be checked besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tunesmith {

inline std::uint64_t checksum(const char* data, std::size_t size) {
  constexpr int kLanes = 4;
  constexpr std::size_t kStep = 16 * kLanes;
  constexpr std::uint64_t kSalt[kLanes] = {0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL,
                                           0x8ebc6af09c88c6e3ULL, 0x589965cc75374cc3ULL};
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  std::uint64_t lanes[kLanes] = {kSalt[0] ^ size, kSalt[1], kSalt[2], kSalt[3]};
  const auto take = [&](const char* step) {
    std::uint64_t words[2 * kLanes];
    std::memcpy(words, step, kStep);
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[lane] = fold(lanes[lane] ^ words[2 * lane], kSalt[lane] ^ words[2 * lane + 1]);
  };
  std::size_t at = 0;
  for (; at + kStep <= size; at += kStep) take(data + at);
  if (at < size) {
    char rest[kStep] = {};  // the size in the first lane tells zeros from an end
    std::memcpy(rest, data + at, size - at);
    take(rest);
  }
  return fold(fold(lanes[0] ^ kSalt[1], lanes[1] ^ kSalt[2]) ^ lanes[2], lanes[3] ^ kSalt[0]);
}

}  // namespace tunesmith
