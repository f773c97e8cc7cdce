#include "decide/quota_tree.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <random>

namespace sluice::decide {
namespace {

QuotaTree::Limits quota(std::int64_t nominal, std::int64_t borrow = -1, std::int64_t lend = -1) {
  QuotaTree::Limits limits;
  limits.nominal = Amount(nominal);
  if (borrow >= 0) limits.borrowing_limit = Amount(borrow);
  if (lend >= 0) limits.lending_limit = Amount(lend);
  return limits;
}

/// root <- queues, one flavor-resource.
struct Flat {
  QuotaTree tree;
  NodeId root;
  std::vector<NodeId> queues;

  explicit Flat(std::initializer_list<QuotaTree::Limits> limits) : root(tree.add_node(QuotaTree::none, 1)) {
    for (const QuotaTree::Limits& one : limits) {
      queues.push_back(tree.add_node(root, 1));
      tree.adopt(queues.back(), false);
      tree.set_limits(queues.back(), 0, one);
    }
    tree.build();
  }
  std::int64_t available(std::size_t i) const { return tree.available(queues[i], 0).value(); }
  std::int64_t capacity(std::size_t i) const { return tree.capacity(queues[i], 0).value(); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(quota_tree)

BOOST_AUTO_TEST_CASE(debt_of_the_cohort_eats_guaranteed_quota) {
  Flat t({quota(10, -1, 4), quota(0)});
  t.tree.add(t.queues[1], 0, Amount(9));
  BOOST_TEST(t.available(0) == 1);
  BOOST_TEST(t.capacity(0) == 10);
  BOOST_TEST(t.available(1) == 0);
  BOOST_TEST(t.capacity(1) == 4);
}

BOOST_AUTO_TEST_CASE(lending_and_borrowing_limits) {
  Flat t({quota(10, 3, 4), quota(10)});
  t.tree.add(t.queues[0], 0, Amount(8));
  BOOST_TEST(t.available(0) == 5);
  BOOST_TEST(t.capacity(0) == 13);
  BOOST_TEST(t.available(1) == 12);
  BOOST_TEST(t.capacity(1) == 14);
}

BOOST_AUTO_TEST_CASE(a_borrowing_limit_bounds_the_whole_request) {
  Flat t({quota(2, 3), quota(10)});
  BOOST_TEST(t.capacity(0) == 5);
}

BOOST_AUTO_TEST_CASE(unlimited_quota_is_unlimited_for_all_who_may_borrow) {
  Flat t({quota(Amount::unlimited().value()), quota(2)});
  t.tree.add(t.queues[0], 0, Amount(3));
  BOOST_TEST(t.tree.available(t.queues[0], 0).is_unlimited());
  BOOST_TEST(t.tree.available(t.queues[1], 0).is_unlimited());
}

BOOST_AUTO_TEST_CASE(a_cohort_lends_only_so_much) {
  QuotaTree tree;
  NodeId root = tree.add_node(QuotaTree::none, 1);
  NodeId middle = tree.add_node(root, 1);
  tree.adopt(middle, true);
  tree.set_limits(middle, 0, quota(0, -1, 5));
  NodeId a = tree.add_node(middle, 1);
  tree.adopt(a, false);
  tree.set_limits(a, 0, quota(10));
  NodeId b = tree.add_node(root, 1);
  tree.adopt(b, false);
  tree.build();
  tree.add(a, 0, Amount(3));
  BOOST_TEST(tree.available(a, 0).value() == 7);
  BOOST_TEST(tree.available(b, 0).value() == 5);
  BOOST_TEST(tree.capacity(b, 0).value() == 5);
}

BOOST_AUTO_TEST_CASE(borrowing_levels_jump) {
  // root{5} <- mid{2} <- a{1}; root <- side <- sub <- s: from a, three fit at level 1, four only at the root.
  QuotaTree tree;
  NodeId root = tree.add_node(QuotaTree::none, 1);
  tree.set_limits(root, 0, quota(5));
  auto cohort = [&](NodeId parent, std::int64_t nominal) {
    NodeId node = tree.add_node(parent, 1);
    tree.adopt(node, true);
    tree.set_limits(node, 0, quota(nominal));
    return node;
  };
  auto queue = [&](NodeId parent, std::int64_t nominal) {
    NodeId node = tree.add_node(parent, 1);
    tree.adopt(node, false);
    tree.set_limits(node, 0, quota(nominal));
    return node;
  };
  NodeId middle = cohort(root, 2);
  NodeId a = queue(middle, 1);
  NodeId side = cohort(root, 0);
  NodeId sub = cohort(side, 0);
  NodeId s = queue(sub, 0);
  tree.build();
  BOOST_TEST(tree.lowest_fit(a, 0, Amount(1)).level == 0);
  BOOST_TEST(tree.lowest_fit(a, 0, Amount(3)).level == 1);
  BOOST_TEST(tree.lowest_fit(a, 0, Amount(3)).may_reclaim);
  BOOST_TEST(tree.lowest_fit(a, 0, Amount(4)).level == 3);
  BOOST_TEST(!tree.lowest_fit(a, 0, Amount(4)).may_reclaim);
  tree.set_present(s, false);  // a stopped queue does not count for heights
  BOOST_TEST(tree.lowest_fit(a, 0, Amount(4)).level == 2);
}

// A what-if leaves no trace, and usage of a cohort is what its children use above what they keep for
// themselves.
BOOST_AUTO_TEST_CASE(rollback_restores_and_sums_hold) {
  std::mt19937 random(7);
  auto upto = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 50; ++round) {
    Flat t({quota(upto(9), upto(2) ? upto(5) : -1, upto(2) ? upto(5) : -1), quota(upto(9), -1, upto(6)),
            quota(upto(9))});
    std::array<std::int64_t, 3> used{};
    for (int step = 0; step < 60; ++step) {
      auto i = static_cast<std::size_t>(upto(3));
      std::int64_t amount = upto(5);
      if (upto(2) && used[i] >= amount) {
        t.tree.remove(t.queues[i], 0, Amount(amount));
        used[i] -= amount;
      } else {
        t.tree.add(t.queues[i], 0, Amount(amount));
        used[i] += amount;
      }
      std::array<Amount, 4> before{t.tree.usage(t.root, 0), t.tree.usage(t.queues[0], 0),
                                   t.tree.usage(t.queues[1], 0), t.tree.usage(t.queues[2], 0)};
      std::size_t mark = t.tree.mark();
      t.tree.add(t.queues[i], 0, Amount(3));
      t.tree.clear_tree(t.root);
      t.tree.rollback(mark);
      std::array<Amount, 4> after{t.tree.usage(t.root, 0), t.tree.usage(t.queues[0], 0),
                                  t.tree.usage(t.queues[1], 0), t.tree.usage(t.queues[2], 0)};
      BOOST_TEST((before == after));
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(t.tree.usage(t.queues[i], 0).value() == used[i]);
      std::int64_t local = t.tree.local_available(t.queues[i], 0).value();
      // With something left of its own share a queue uses nothing of the cohort.
      if (local > 0) continue;
      std::size_t mark = t.tree.mark();
      t.tree.remove(t.queues[i], 0, Amount(used[i]));
      sum += used[i] - t.tree.local_available(t.queues[i], 0).value();
      t.tree.rollback(mark);
    }
    BOOST_TEST(t.tree.usage(t.root, 0).value() == sum);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
