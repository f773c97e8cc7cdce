#include "lang/types.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace sluice::lang {
namespace {

enum class Order : std::uint8_t { none, ordered, record };

struct KindInfo {
  std::string_view word;
  Order order;
};

constexpr std::array kinds = {
#define KIND(name, word, order, unit) KindInfo{word, Order::order},
#include "lang/types.def"
#undef KIND
};

const KindInfo& info(Kind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view to_string(Kind kind) {
  return info(kind).word;
}

std::string to_string(Type type) {
  std::string text;
  if (type.list) text = "list of ";
  text += to_string(type.kind);
  if (type.list && is_record(type.kind)) text += "s";
  if (type.optional && type.kind != Kind::none) text += " or none";
  return text;
}

std::string with_article(std::string_view noun) {
  for (std::string_view measured : {"cpu", "memory", "money", "labels", "none"}) {
    if (noun.substr(0, noun.find(' ')) == measured) return std::string(noun);
  }
  if (noun.starts_with("percent")) return "a percentage" + std::string(noun.substr(7));
  bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

bool is_ordered(Kind kind) {
  return info(kind).order == Order::ordered;
}
bool is_record(Kind kind) {
  return info(kind).order == Order::record;
}

bool is_text(Kind kind) {
  return kind >= Kind::text && kind <= Kind::level_name;
}
bool is_quantity(Kind kind) {
  return kind >= Kind::number && kind <= Kind::duration;
}

bool comparable(Kind left, Kind right) {
  if (left == Kind::error || right == Kind::error || left == right) return true;
  if (left == Kind::none || right == Kind::none) return true;
  bool one_is_text = left == Kind::text || right == Kind::text;
  return one_is_text && is_text(left) && is_text(right);
}

Kind kind_of_resource(std::string_view resource) {
  if (resource == "cpu") return Kind::cpu;
  if (resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-")) {
    return Kind::memory;
  }
  return Kind::devices;
}

}  // namespace sluice::lang
