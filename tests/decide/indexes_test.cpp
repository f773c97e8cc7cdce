#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "decide/map_order.hpp"
#include "decide/name_index.hpp"
#include "decide/second_pass_queue.hpp"

/// What the engine finds workloads by.
namespace sluice::decide {
namespace {

Instant at(std::int64_t seconds) {
  return Instant{} + Duration::seconds(seconds);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(indexes)

BOOST_DATA_TEST_CASE(names_are_found, boost::unit_test::data::xrange(1u, 21u), seed) {
  std::mt19937 random(seed);
  std::deque<Workload> objects;
  Works works;
  NameIndex index;
  std::map<std::string, WorkId> known;  // of one namespace each
  for (int i = 0; i < 400; ++i) {
    std::string name = "job-" + std::to_string(random() % 40);
    auto it = known.find(name);
    if (it == known.end()) {
      Workload& object = objects.emplace_back();
      object.name = name;
      object.name_space = random() % 2 == 0 ? "a" : "b";
      works.emplace_back().object = &object;
      known[name] = static_cast<WorkId>(works.size() - 1);
      index.insert(works, known[name]);
    } else if (random() % 3 == 0) {
      index.erase(works, it->second);
      known.erase(it);
    }
    it = known.find(name);
    for (const char* name_space : {"a", "b"}) {
      bool is_there = it != known.end() && std::as_const(works)[it->second].object->name_space == name_space;
      BOOST_REQUIRE_EQUAL(index.find(works, {name_space, name}), is_there ? it->second : kNone);
    }
    BOOST_REQUIRE_EQUAL(index.sorted(works).size(), known.size());
  }
  std::vector<WorkId> sorted = index.sorted(works);
  auto name_of = [&](WorkId id) {
    const Workload& object = *std::as_const(works)[id].object;
    return std::pair(object.name_space, object.name);
  };
  BOOST_TEST(std::is_sorted(sorted.begin(), sorted.end(), [&](WorkId a, WorkId b) { return name_of(a) < name_of(b); }));
}

// As in Go, whose maps of up to eight keys have eight places.
BOOST_AUTO_TEST_CASE(a_small_map_gives_the_lowest_free_place) {
  MapOrder order;
  for (WorkId id : {7u, 3u, 5u}) order.insert(id);
  BOOST_TEST((order.sorted({3, 5, 7}) == std::vector<WorkId>{7, 3, 5}));
  order.erase(3);
  order.insert(9);
  order.insert(3);
  BOOST_TEST((order.sorted({3, 5, 7, 9}) == std::vector<WorkId>{7, 9, 5, 3}));
}

BOOST_AUTO_TEST_CASE(a_map_that_was_large_has_an_order_of_its_own) {
  MapOrder order;
  std::vector<WorkId> all;
  for (WorkId id = 20; id > 11; --id) {
    order.insert(id);
    all.push_back(id);
  }
  for (WorkId id = 20; id > 13; --id) order.erase(id);
  BOOST_TEST((order.sorted({13, 12}) == std::vector<WorkId>{12, 13}));
}

BOOST_AUTO_TEST_CASE(a_timer_is_never_taken_back) {
  auto always = [](WorkId) { return true; };
  SecondPassQueue queue;
  BOOST_TEST(queue.wait(1, {4, {}}, at(8)));
  BOOST_TEST(!queue.wait(1, {1, {}}, at(1)), "it waits already");
  queue.erase(1);
  queue.wake(at(2), always);
  BOOST_TEST(queue.take_ready().empty());
  // It comes again: the timer from before it left offers it, with its own number, and its new one finds nobody.
  BOOST_TEST(queue.wait(1, {1, {}}, at(10)));
  queue.wake(at(8), always);
  auto ready = queue.take_ready();
  BOOST_REQUIRE_EQUAL(ready.size(), 1u);
  BOOST_TEST(ready.at(1).iteration == 4);
  queue.wake(at(10), always);
  BOOST_TEST(queue.take_ready().empty());
  BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
