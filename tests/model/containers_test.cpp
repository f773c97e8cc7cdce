#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/rare.hpp"
#include "model/shared.hpp"

/// The containers of the model do what the standard ones do, whatever is done to them in whatever order; their copies go
/// their own way.
namespace sluice {
namespace {

std::string text_of(std::uint_fast32_t number) {
  return "a text that is too long to stand in the string itself: " + std::to_string(number);
}

template <class Vector>
std::vector<std::string> read(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

template <class Map>
std::map<std::string, int> read_map(const Map& map) {
  return {map.begin(), map.end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(containers)

BOOST_DATA_TEST_CASE(a_thin_vector_is_a_vector, boost::unit_test::data::xrange(1u, 41u), seed) {
  std::mt19937 random(seed);
  ThinVector<std::string> thin;
  std::vector<std::string> plain;
  for (int i = 0; i < 200; ++i) {
    std::uint_fast32_t number = random();
    std::size_t at = plain.empty() ? 0 : random() % plain.size();
    switch (random() % 10) {
      case 0:
      case 1:
      case 2:
        thin.push_back(text_of(number));
        plain.push_back(text_of(number));
        break;
      case 3:
        if (plain.empty()) break;
        thin.push_back(thin[at]);  // of what it holds, while it grows
        plain.push_back(std::string(plain[at]));
        break;
      case 4:
        if (plain.empty()) break;
        thin.erase(thin.begin() + at);
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 5:
        thin.resize(at, "new");
        plain.resize(at, "new");
        break;
      case 6: {
        auto is_odd = [](const std::string& text) { return text.back() % 2 == 1; };
        BOOST_TEST(erase_if(thin, is_odd) == std::erase_if(plain, is_odd));
        break;
      }
      case 7: {
        ThinVector<std::string> copy = thin;
        copy.push_back("only the copy");
        if (!copy.empty()) copy.front() = "changed";
        break;
      }
      case 8: {
        ThinVector<std::string> moved = std::move(thin);
        thin = std::move(moved);
        break;
      }
      case 9:
        if (number % 8 == 0) thin.clear(), plain.clear();
        break;
    }
    BOOST_REQUIRE(read(thin) == plain);
    BOOST_REQUIRE(thin.size() == plain.size());
    BOOST_REQUIRE((thin == ThinVector<std::string>(plain)));
  }
  BOOST_CHECK_THROW(thin.at(thin.size()), std::out_of_range);
}

BOOST_DATA_TEST_CASE(a_thin_map_is_a_map, boost::unit_test::data::xrange(1u, 21u), seed) {
  std::mt19937 random(seed);
  ThinMap<std::string, int> thin;
  RareMap<std::map<std::string, int>> rare;
  std::map<std::string, int> plain;
  for (int i = 0; i < 200; ++i) {
    std::string key = text_of(random() % 12);
    int value = static_cast<int>(random() % 100);
    thin[key] = rare[key] = plain[key] = value;
    if (random() % 20 == 0) thin.clear(), rare.clear(), plain.clear();
    BOOST_REQUIRE(read_map(thin) == plain);
    BOOST_REQUIRE(read_map(rare) == plain);
    BOOST_REQUIRE(thin.contains(key) == plain.contains(key));
    BOOST_REQUIRE(std::as_const(rare).contains(key) == plain.contains(key));
    RareMap<std::map<std::string, int>> copy = rare;
    copy["another"] = 1;
    BOOST_REQUIRE(!std::as_const(rare).contains("another"));
  }
  BOOST_CHECK_THROW(thin.at("no such key"), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(rare_values) {
  Rare<std::string> value;
  BOOST_TEST(value->empty());
  Rare<std::string> before = value;
  value.own() = "there";
  BOOST_TEST(*value == "there");
  BOOST_TEST(before->empty());
  BOOST_TEST((value == Rare<std::string>("there")));
  BOOST_TEST((before == Rare<std::string>(std::string())));  // made or not, an empty one is empty

  RareOptional<std::string> maybe;
  BOOST_TEST(!maybe);
  BOOST_TEST((std::optional<std::string>(maybe) == std::nullopt));
  maybe = "there";
  RareOptional<std::string> copy = maybe;
  *copy += ", too";
  BOOST_TEST(*maybe == "there");
  BOOST_TEST((maybe == std::string("there")));
  maybe.reset();
  BOOST_TEST(!maybe.has_value());
  BOOST_TEST(copy.value_or("none") == "there, too");
}

BOOST_AUTO_TEST_CASE(copies_of_a_shared_vector_go_their_own_way) {
  SharedVector<std::string> one{"a", "b"};
  SharedVector<std::string> other = one;
  BOOST_TEST((&std::as_const(one)[0] == &std::as_const(other)[0]), "a copy shares");
  other.push_back("c");
  other[0] = "changed";
  BOOST_TEST((read(std::as_const(one)) == std::vector<std::string>{"a", "b"}));
  BOOST_TEST((read(std::as_const(other)) == std::vector<std::string>{"changed", "b", "c"}));
  one.clear();
  BOOST_TEST(one.empty());
  BOOST_TEST(std::as_const(other).size() == 3u);
}

BOOST_AUTO_TEST_CASE(copies_of_a_shared_list_share_item_by_item) {
  SharedList<std::string> one{"a", "b", "c", "d"};
  SharedList<std::string> other = one;
  other.edit(1) = "changed";
  BOOST_TEST((&one[0] == &other[0]), "what is not changed stays shared");
  BOOST_TEST(one[1] == "b");
  BOOST_TEST(other[1] == "changed");
  for (std::string& item : other.edit_all()) item += "!";
  BOOST_TEST((read(one) == std::vector<std::string>{"a", "b", "c", "d"}));
  SharedList<std::string> taken = one.take_if([](const std::string& item) { return item > "b"; });
  BOOST_TEST((read(one) == std::vector<std::string>{"a", "b"}));
  BOOST_TEST((read(taken) == std::vector<std::string>{"c", "d"}));
  one.overlay(SharedList<std::string>{"b", "c"}, [](const std::string& item) { return item; });
  BOOST_TEST((read(one) == std::vector<std::string>{"a", "b", "c"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice
