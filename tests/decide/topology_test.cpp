#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "decide/cluster.hpp"
#include "decide/topology_search.hpp"

/// Where pods go in a tree of blocks, racks and hosts. A tree is written `b1{r1{h1:3,h2:1} r2{h3:4}}`: hosts
/// with room for so many pods of 1 cpu. The same cases were calculated for Kueue 0.19.

namespace sluice::decide {
namespace {

enum class Level : std::uint8_t { block, rack, host, none };

struct Ask {
  TopologyRequest::Mode mode = TopologyRequest::Mode::required;
  Level level = Level::rack;
  std::int32_t count = 1;
  Level slice_level = Level::none;
  std::int32_t slice_size = 0;
  const char* cpu = "1";
  const char* leader_cpu = nullptr;  ///< of a leader beside them; null: none
  std::vector<std::pair<Level, std::int32_t>> layers = {};
};

struct PlaceCase {
  const char* why;
  const char* tree;
  Ask ask;
  const char* want;  ///< hosts in their order, the leader's host after `leader`; or why not
  bool mixed = true;
};
std::ostream& operator<<(std::ostream& out, const PlaceCase& c) {
  return out << c.why;
}

std::string label_of(Level level) {
  switch (level) {
    case Level::block:
      return "block";
    case Level::rack:
      return "rack";
    case Level::host:
      return "kubernetes.io/hostname";
    case Level::none:
      break;
  }
  return {};
}

/// Reads the notation above.
void read_tree(const std::string& text, World& world) {
  std::string path[2];
  std::size_t depth = 0;
  std::string word;
  auto add_host = [&] {
    if (word.empty()) return;
    std::size_t colon = word.find(':');
    Node node;
    node.name = path[0] + "-" + path[1] + "-" + word.substr(0, colon);
    node.labels = {{"pool", "a"},
                   {"block", path[0]},
                   {"rack", path[1]},
                   {"kubernetes.io/hostname", word.substr(0, colon)}};
    node.allocatable = {{"cpu", *Quantity::parse(word.substr(colon + 1))}, {"pods", *Quantity::parse("110")}};
    world.nodes.push_back(node);
    word.clear();
  };
  for (char c : text) {
    if (c == '{') {
      path[depth++] = word;
      word.clear();
    } else if (c == '}' || c == ',' || c == ' ') {
      add_host();
      if (c == '}') --depth;
    } else {
      word += c;
    }
  }
  std::sort(world.nodes.begin(), world.nodes.end(), [](const Node& a, const Node& b) { return a.name < b.name; });
}

World world_of(const std::string& tree) {
  World world;
  Topology topology;
  topology.name = "default";
  topology.levels = {{{}, "block"}, {{}, "rack"}, {{}, "kubernetes.io/hostname"}};
  world.topologies.push_back(topology);
  ResourceFlavor flavor;
  flavor.name = "f";
  flavor.node_labels = {{"pool", "a"}};
  flavor.topology = "default";
  world.flavors.push_back(flavor);
  read_tree(tree, world);
  return world;
}

std::string text_of(const TopologyTree& tree, const std::vector<LeafCount>& leaves) {
  std::string text;
  for (const LeafCount& leaf : leaves) {
    if (!text.empty()) text += ' ';
    text += tree.leaf_values[leaf.leaf].back() + ":" + std::to_string(leaf.count);
  }
  return text;
}

std::string text_of(const PlacementFailure& failure) {
  std::ostringstream out;
  switch (failure.kind) {
    case PlacementFailure::Kind::not_fit:
      out << failure.fits << " of " << failure.asked << (failure.in_slices ? " slices" : " pods");
      break;
    case PlacementFailure::Kind::layers_not_fit:
      for (const PlacementFailure::Layer& layer : failure.layers)
        out << layer.fits << "/" << layer.asked << " " << layer.level << "; ";
      break;
    case PlacementFailure::Kind::no_domains:
      return "no domains";
    case PlacementFailure::Kind::no_level:
      return "no level";
    case PlacementFailure::Kind::slice_above:
      return "slices above";
    default:
      return "another failure";
  }
  for (const PlacementFailure::Exclusion& e : failure.excluded) out << ", " << e.nodes << " lack " << e.name;
  return out.str();
}

std::string place(const PlaceCase& c) {
  World world = world_of(c.tree);
  Cluster cluster(world, Gates{});
  QuotaTree& numbers = cluster.tree;
  Topologies& topologies = cluster.topologies;
  auto demand = [&](const char* cpu) {
    Demands demands{{cluster.resources.intern("cpu"), Amount::request("cpu", *Quantity::parse(cpu)).value()}};
    return topologies.intern(std::move(demands), cluster.resources);
  };
  TopologyRequest request;
  request.mode = c.ask.mode;
  request.level = label_of(c.ask.level);
  if (c.ask.slice_size > 0) {
    request.slice_level = label_of(c.ask.slice_level);
    request.slice_size = c.ask.slice_size;
  }
  for (const auto& [level, size] : c.ask.layers) request.slice_layers.push_back({label_of(level), size});
  PlacementAsk workers;
  workers.count = c.ask.count;
  workers.demand = demand(c.ask.cpu);
  workers.request = &request;
  PlacementAsk leader = workers;
  leader.count = 1;
  if (c.ask.leader_cpu != nullptr) leader.demand = demand(c.ask.leader_cpu);
  TopologySearch search(topologies, numbers);
  SearchSetting setting;
  setting.mixed_profile = c.mixed;
  const NodeMatch& match = topologies.match(0, 0, {}, world.flavors[0]);
  auto result = search.find(0, workers, c.ask.leader_cpu != nullptr ? &leader : nullptr, match, {}, setting);
  if (!result.found) return text_of(result.failure);
  std::string text = text_of(topologies[0], result.workers);
  if (c.ask.leader_cpu != nullptr) text += " leader " + text_of(topologies[0], result.leader);
  return text;
}

constexpr auto required = TopologyRequest::Mode::required;
constexpr auto preferred = TopologyRequest::Mode::preferred;
constexpr auto unconstrained = TopologyRequest::Mode::unconstrained;
constexpr auto none = TopologyRequest::Mode::none;
constexpr Level B = Level::block;
constexpr Level R = Level::rack;
constexpr Level H = Level::host;

const PlaceCase place_cases[] = {
    {"ties are told by bytes", "b{r{x2:3,x10:3}}", {required, R, 3}, "x10:3"},
    {"in the order of bytes", "b{r{x2:3,x10:3}}", {required, R, 4}, "x10:3 x2:1"},
    {"the tightest domain, not the largest", "b{r1{a:5} r2{c:3} r3{d:4}}", {required, R, 3}, "c:3"},
    {"the last one is the tightest that is enough", "b{r{h1:3,h2:3,h3:2,h4:1}}", {required, R, 7}, "h1:3 h2:3 h4:1"},
    {"after the largest", "b{r{h1:4,h2:3,h3:2,h4:1}}", {required, R, 5}, "h1:4 h4:1"},
    {"least free first", "b{r{h1:3,h2:3,h3:2,h4:1}}", {unconstrained, H, 7}, "h1:3 h2:1 h3:2 h4:1"},
    {"least free first, fewer pods", "b{r{h1:3,h2:3,h3:2,h4:1}}", {unconstrained, H, 6}, "h1:3 h3:2 h4:1"},
    {"one host for all before several", "b{r{h1:3,h2:3,h3:2,h4:1}}", {unconstrained, H, 2}, "h3:2"},
    {"best fit everywhere", "b{r{h1:3,h2:3,h3:2,h4:1}}", {unconstrained, H, 4}, "h1:3 h4:1", false},
    {"children are one pool", "b1{r1{h1:3} r2{h2:2}} b2{r3{h3:4}}", {preferred, B, 8}, "h1:3 h2:1 h3:4"},
    {"shares of parents are forgotten", "b1{r1{h1:6} r2{h2:1}} b2{r3{h3:3} r4{h4:3}}", {preferred, B, 9}, "h1:6 h3:3"},
    {"the first parent had all", "b1{r1{h1:5} r2{h2:5}} b2{r3{h3:6}}", {preferred, B, 11}, "h1:5 h3:6"},
    {"below the slices smallest first", "b{r{h1:5,h2:2,h3:1}}", {required, B, 6, R, 6}, "h1:3 h2:2 h3:1"},
    {"without slices largest first", "b{r{h1:5,h2:2,h3:1}}", {required, R, 6}, "h1:5 h3:1"},
    {"pods beyond the last slice have no place", "b{r{h1:5,h2:2,h3:1}}", {required, R, 5, H, 2}, "h1:4"},
    {"less than a slice fits as nothing", "b{r{h1:5}}", {required, R, 1, H, 2}, ""},
    {"whole slices only", "b{r{h1:4,h2:2}}", {required, R, 8, H, 4}, "1 of 2 slices"},
    {"inner layers do not change the order", "b{r{h1:6,h2:4,h3:2}}",
     {required, B, 6, Level::none, 0, "1", nullptr, {{R, 6}, {H, 2}}}, "h2:4 h3:2"},
    {"a single layer does", "b{r{h1:6,h2:4,h3:2}}", {required, B, 6, H, 2}, "h1:6"},
    {"inner layers round", "b{r1{h1:3,h2:1} r2{h3:3,h4:1}}",
     {required, B, 8, Level::none, 0, "1", nullptr, {{R, 4}, {H, 2}}},
     "0/2 rack; 2/4 kubernetes.io/hostname; "},
    {"inner layers that fit", "b{r1{h1:3,h2:3} r2{h3:3,h4:3}}",
     {required, B, 8, Level::none, 0, "1", nullptr, {{R, 4}, {H, 2}}}, "h1:2 h2:2 h3:2 h4:2"},
    {"a leader needs room beside its workers", "b{ra{a1:4} rb{b1:3,b2:2}}",
     {required, R, 3, Level::none, 0, "1", "2"}, "b1:1 b2:2 leader b1:1"},
    {"the number does not count the leader", "b{ra{a1:4} rb{b1:3,b2:2}}",
     {required, R, 4, Level::none, 0, "1", "2"}, "5 of 4 pods"},
    {"the leader goes where it costs no worker", "b{r{h1:4,h2:3}}",
     {required, R, 3, Level::none, 0, "2", "1"}, "h1:2 h2:1 leader h2:1"},
    {"or where it comes first", "b{r{h1:4,h2:4}}", {required, R, 3, Level::none, 0, "2", "1"},
     "h1:1 h2:2 leader h1:1"},
    {"a leader that fits nowhere", "b{r{h1:4,h2:3}}", {required, R, 3, Level::none, 0, "1", "9"}, "7 of 3 pods"},
    {"preferred tells the leaders", "b{r{h1:4,h2:3}}", {preferred, R, 3, Level::none, 0, "1", "9"}, "0 of 3 pods"},
    {"both in one domain", "b{r{h1:4,h2:4}}", {required, H, 3, Level::none, 0, "1", "2"}, "4 of 3 pods"},
    {"a host of the leader alone", "b{r{h1:3,h2:3}}", {required, R, 3, Level::none, 0, "1", "3"},
     "h2:3 leader h1:1"},
    {"a leader and workers in two blocks", "b1{r1{h1:4}} b2{r2{h2:3}}", {preferred, R, 5, Level::none, 0, "1", "2"},
     "h1:2 h2:3 leader h1:1"},
    {"equal slices: less left over first", "b{r{n6:6,n5:5,n4:4,n3:3,n2:2}}", {required, R, 12, H, 2},
     "n2:2 n4:4 n6:6"},
    {"the same, least free first", "b{r{n6:6,n5:5,n4:4,n3:3,n2:2}}", {unconstrained, R, 10, H, 2},
     "n2:2 n3:2 n4:4 n5:2"},
    {"slices alone begin at the top", "b1{r{h1:8}} b2{r{h2:4,h3:3}}", {none, R, 4, H, 2}, "h2:2 h3:2"},
    {"slices alone, one host", "b1{r{h1:8}} b2{r{h2:4,h3:3}}", {none, R, 8, H, 2}, "h1:8"},
    {"slices alone, everywhere", "b1{r{h1:8}} b2{r{h2:4,h3:3}}", {none, R, 12, H, 2}, "h1:6 h2:4 h3:2"},
    {"preferred climbs, the tighter block", "b1{r1{h1:3} r2{h2:3}} b2{r3{h3:4} r4{h4:4}}", {preferred, R, 5},
     "h1:3 h2:2"},
    {"preferred, one host", "b1{r1{h1:3} r2{h2:3}} b2{r3{h3:4} r4{h4:4}}", {preferred, H, 4}, "h3:4"},
    {"the last domain is the tightest", "b1{r{n1:3}} b2{r{n2:3}} b3{r{n3:2}}", {preferred, B, 5}, "n1:3 n3:2"},
    {"racks of one block", "b{ra{a:2,b:2} rc{c:3} rd{d:1}}", {required, B, 4}, "a:2 b:2"},
    {"racks of one block, one more", "b{ra{a:2,b:2} rc{c:3} rd{d:1}}", {required, B, 5}, "a:2 b:2 d:1"},
    {"equal slices of racks", "b{ra{h1:7} rb{h2:6}}", {required, R, 6, R, 3}, "h2:6"},
    {"hosts without room are left out", "b{r{n0:0,n1:3,n2:2}}", {unconstrained, H, 4}, "n1:2 n2:2"},
    {"unconstrained pods do not see racks", "b{r1{h1:1,h2:1} r2{h3:5}}", {unconstrained, H, 6}, "h1:1 h2:1 h3:4"},
    {"slices do not span racks", "b{r1{h1:3} r2{h2:3}}", {required, B, 4, R, 4}, "0 of 1 slices"},
    {"slices over three racks", "b1{r1{h1:4} r2{h2:3}} b2{r3{h3:4}}", {preferred, R, 8, R, 4}, "h1:4 h3:4"},
    {"a rack of one name in two blocks is two", "b1{r1{n1:3}} b2{r1{n2:3}}", {required, R, 6}, "3 of 6 pods"},
    {"milli-cores", "b{r{h1:3999m}}", {required, R, 2, Level::none, 0, "2"}, "1 of 2 pods"},
    {"nodes that lack a resource are told", "b{r{h1:0,h2:4}}", {required, B, 5}, "4 of 5 pods, 1 lack cpu"},
    {"no nodes", "", {required, R, 1}, "no domains"},
    {"no level", "b{r{h1:1}}", {none, R, 1}, "no level"},
    {"slices above the level", "b{r{h1:4}}", {required, H, 2, R, 2}, "slices above"},
    {"nothing asked for fits", "b{r{h1:1}}", {required, R, 2, Level::none, 0, "0"}, "h1:2"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(topology)

BOOST_DATA_TEST_CASE(places, place_cases, c) {
  BOOST_TEST(place(c) == c.want);
}

BOOST_AUTO_TEST_CASE(what_ifs_are_undone_and_hosts_are_shared) {
  World world = world_of("b{r{h1:4}}");
  ResourceFlavor other = world.flavors[0];
  other.name = "g";
  world.flavors.push_back(other);
  Cluster cluster(world, Gates{});
  Topologies& topologies = cluster.topologies;
  DemandId demand = topologies.intern({{cluster.resources.intern("cpu"), 1000}}, cluster.resources);
  TopologyAssignment assignment{{"kubernetes.io/hostname"}, {{{"h1"}, 3}}};
  std::vector<LeafUse> uses;
  topologies.resolve(0, assignment, demand, uses);
  auto left = [&](TreeId id) {
    const TopologyTree& tree = topologies[id];
    return times_in(tree, cluster.tree.numbers() + tree.first_number, topologies.demands(demand));
  };
  std::size_t mark = cluster.tree.mark();
  topologies.add(cluster.tree, uses);
  BOOST_TEST(left(0) == 1);
  BOOST_TEST(left(1) == 4);  // within a cycle the other flavor does not see it
  cluster.tree.rollback(mark);
  BOOST_TEST(left(0) == 4);
  topologies.add(cluster.tree, uses);
  BOOST_TEST(left(0) == 1);
  BOOST_TEST(left(1) == 1);
  topologies.remove(cluster.tree, uses);
  BOOST_TEST(left(1) == 4);
}

BOOST_AUTO_TEST_CASE(pods_on_nodes_take_room_unless_a_workload_accounts_for_them) {
  World world = world_of("b{r{h1:4}}");
  auto pod = [&](const char* name) -> Pod& {
    Pod& p = world.pods.emplace_back();
    p.name = name;
    p.node = "b-r-h1";
    p.requests = {{"cpu", *Quantity::parse("1")}};
    return p;
  };
  pod("a");
  pod("b").asks_for_topology = true;
  pod("c").ended = true;
  pod("d").node = "elsewhere";
  Cluster cluster(world, Gates{});
  const TopologyTree& tree = cluster.topologies[0];
  DemandId demand = cluster.topologies.intern({{cluster.resources.intern("cpu"), 1000}}, cluster.resources);
  BOOST_TEST(times_in(tree, tree.free.data(), cluster.topologies.demands(demand)) == 3);
  BOOST_TEST(tree.free[tree.pods_column] == 109);
}

BOOST_AUTO_TEST_CASE(nodes_that_take_no_pods_are_no_leaves) {
  World world = world_of("b{r{h1:4,h2:4,h3:4,h4:4,h5:4}}");
  world.nodes[0].ready = false;
  world.nodes[1].unschedulable = true;
  world.nodes[2].labels.erase("rack");
  world.nodes[3].labels["pool"] = "b";
  Cluster cluster(world, Gates{});
  BOOST_TEST(cluster.topologies[0].leaves() == 1u);
  BOOST_TEST(cluster.topologies[0].leaf_values[0].back() == "h5");
}

BOOST_AUTO_TEST_CASE(taints_selectors_and_affinity_leave_nodes_out) {
  World world = world_of("b{r{h1:4,h2:4,h3:4,h4:4}}");
  world.nodes[0].taints = {{"gpu", "t", "NoSchedule"}};
  world.nodes[1].labels["disk"] = "hdd";
  world.nodes[2].labels["disk"] = "ssd";
  world.nodes[3].labels["disk"] = "ssd";
  world.nodes[3].labels["zone"] = "z";
  Cluster cluster(world, Gates{});
  PodConstraints pod;
  pod.node_selector = {{"disk", "ssd"}};
  pod.required_affinity = {{{{{"zone", "Exists", {}}}, {}}}};
  const NodeMatch& match = cluster.topologies.match(0, 0, pod, world.flavors[0]);
  BOOST_TEST(match.leaves.size() == 1u);
  BOOST_TEST(match.node_selector == 1);
  BOOST_TEST(match.affinity == 1);
  BOOST_TEST(match.taints.at("gpu=t:NoSchedule") == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::decide
