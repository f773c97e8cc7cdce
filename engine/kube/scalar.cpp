#include "kube/scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sluice::kube {

namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Go's strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b, or a leading 0 for octal. In JSON's form.
std::optional<std::string> integer(std::string_view text) {
  bool negative = false;
  bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  if (has_sign) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    if (base != 0) {
      text.remove_prefix(2);
    } else {
      base = 8;
      text.remove_prefix(1);
    }
  }
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  if (negative && value > limit) return {};
  if (has_sign && !negative && value >= limit) return {};  // ParseUint takes no sign
  return (negative && value != 0 ? "-" : "") + std::to_string(value);
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
bool is_float_text(std::string_view text) {
  std::size_t i = 0;
  auto digits = [&] {
    std::size_t first = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i > first;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  if (digits()) {
    if (i < text.size() && text[i] == '.') {
      ++i;
      digits();
    }
  } else {
    if (i >= text.size() || text[i] != '.') return false;
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

struct Digits {
  bool negative;
  std::string digits;
  int exponent;  // of the first digit
};

template <class Float>
Digits shortest(Float value) {
  std::array<char, 64> buffer{};
  auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  Digits result{false, {}, 0};
  if (text.starts_with('-')) {
    result.negative = true;
    text.remove_prefix(1);
  }
  std::size_t e = text.find('e');
  for (char c : text.substr(0, e))
    if (c != '.') result.digits += c;
  result.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return result;
}

std::string exponent_form(const Digits& number, bool two_digits) {
  std::string text = number.negative ? "-" : "";
  text += number.digits[0];
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  std::string exponent = std::to_string(std::abs(number.exponent));
  if (two_digits && exponent.size() < 2) exponent.insert(0, "0");
  return text + "e" + (number.exponent < 0 ? "-" : "+") + exponent;
}

std::string plain_form(const Digits& number) {
  std::string text = number.negative ? "-" : "";
  int count = static_cast<int>(number.digits.size());
  if (number.exponent < 0) {
    text += "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  } else if (count <= number.exponent + 1) {
    text += number.digits + std::string(static_cast<std::size_t>(number.exponent + 1 - count), '0');
  } else {
    std::size_t point = static_cast<std::size_t>(number.exponent) + 1;
    text += number.digits.substr(0, point) + "." + number.digits.substr(point);
  }
  return text;
}

/// As Go's encoding/json writes a float64.
std::string json_form(double value) {
  Digits number = shortest(value);
  bool as_exponent = value != 0 && (std::abs(value) < 1e-6 || std::abs(value) >= 1e21);
  return as_exponent ? exponent_form(number, false) : plain_form(number);
}

/// As sigs.k8s.io/yaml makes a key of a float: format g, 32 bit.
std::string key_form(double value) {
  float narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) return narrow < 0 ? "-.inf" : ".inf";
  Digits number = shortest(narrow);
  return number.exponent < -4 || number.exponent >= 6 ? exponent_form(number, true) : plain_form(number);
}

/// Does each `_` stand between two digits?
bool separates_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '_' &&
        (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])))
      return false;
  return true;
}

std::optional<double> float_value(std::string_view text) {
  if (!is_float_text(text)) return {};
  double value = std::strtod(std::string(text).c_str(), nullptr);
  if (!std::isfinite(value)) return {};
  return value;
}

}  // namespace

Scalar resolve_plain(std::string_view text, bool as_key) {
  using Kind = Value::Kind;
  Kind number = as_key ? Kind::string : Kind::number;
  Kind boolean = as_key ? Kind::string : Kind::boolean;
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return {Kind::null, {}, true};
  if (is_one_of(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}))
    return {boolean, "true", true};
  if (is_one_of(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}))
    return {boolean, "false", true};
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return {number, ".nan", as_key};
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return {number, ".inf", as_key};
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return {number, "-.inf", as_key};

  std::optional<double> value;
  std::string plain(text);
  std::erase(plain, '_');
  if (text[0] == '.') {
    if (separates_digits(text)) value = float_value(plain);
  } else if (is_digit(text[0]) || text[0] == '+' || text[0] == '-') {
    if (auto whole = integer(plain)) return {number, *whole, true};
    value = float_value(plain);
  }
  if (value) return {number, as_key ? key_form(*value) : json_form(*value), true};
  return {Kind::string, std::string(text), true};
}

}  // namespace sluice::kube
