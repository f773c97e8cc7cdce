#include "decide/topology_search.hpp"

#include <algorithm>
#include <limits>

#include "decide/cluster.hpp"

namespace sluice::decide {
namespace {

constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

/// How often a pod fits into a row, its own place included, which has its turn before `demands[place]`;
/// `lacking`: the resource that allows the fewest, the first among equals.
std::int32_t times_with_place(const TopologyTree& tree, const std::int64_t* row, const Demands& demands,
                              std::size_t place, std::uint32_t& lacking) {
  std::int64_t times = -1;
  auto take = [&](std::uint32_t resource, std::int64_t amount, std::int64_t left) {
    std::int64_t fits = amount == 0 ? kMost : std::clamp<std::int64_t>(left / amount, 0, kMost);
    if (times >= 0 && fits >= times) return;
    times = fits;
    lacking = resource;
  };
  for (std::size_t i = 0; i <= demands.size(); ++i) {
    if (i == place) take(tree.columns[tree.pods_column], 1, row[tree.pods_column]);
    if (i == demands.size()) break;
    std::int32_t column = tree.column(demands[i].first);
    take(demands[i].first, demands[i].second, column < 0 ? 0 : row[column]);
  }
  return static_cast<std::int32_t>(times);
}

}  // namespace

std::vector<SliceLayer> layers_of(const TopologyRequest* request) {
  if (request == nullptr) return {};
  if (!request->slice_layers.empty()) return request->slice_layers;
  if (!request->slice_level) return {};
  return {{*request->slice_level, request->slice_size.value_or(0)}};
}

// ---- what is asked for ----

bool TopologySearch::read_request(const PlacementAsk& ask, PlacementFailure& failure) {
  using Kind = PlacementFailure::Kind;
  auto fail = [&](Kind kind, std::string level = {}, std::string other = {}) {
    failure.kind = kind;
    failure.level = std::move(level);
    failure.other_level = std::move(other);
    return false;
  };
  if (!ask.update_conflict.empty()) return fail(Kind::update_conflict, ask.update_conflict);
  const TopologyRequest* request = ask.request;
  layers_ = layers_of(request);
  slice_size_ = layers_.empty() ? 1 : layers_.front().size;
  if (slice_size_ <= 0) return fail(Kind::no_slice_size);
  using Ask = TopologyRequest::Mode;
  Ask mode = request == nullptr ? Ask::none : request->mode;
  bool slices_only = mode != Ask::required && mode != Ask::preferred && !layers_.empty();
  required_ = mode == Ask::required;
  unconstrained_ = mode == Ask::unconstrained || ask.implied || slices_only;

  const std::size_t depth = tree_->levels();
  std::int32_t requested = -1;
  if (mode == Ask::required || mode == Ask::preferred) {
    requested = tree_->level_of(request->level);
    if (requested < 0) return fail(Kind::unknown_level, request->level);
  } else if (slices_only) {
    requested = 0;
  } else if (mode == Ask::unconstrained || ask.implied) {
    requested = static_cast<std::int32_t>(depth) - 1;
  } else {
    return fail(Kind::no_level);
  }
  requested_ = static_cast<std::size_t>(requested);
  slice_level_ = depth - 1;
  if (!layers_.empty()) {
    std::int32_t level = tree_->level_of(layers_.front().level);
    if (level < 0) return fail(Kind::unknown_slice_level, layers_.front().level);
    slice_level_ = static_cast<std::size_t>(level);
  }
  const auto& levels = tree_->object->levels;
  if (requested_ > slice_level_)
    return fail(Kind::slice_above, levels[slice_level_].node_label, levels[requested_].node_label);
  inner_size_.assign(depth, 0);
  layered_ = layers_.size() > 1;
  std::size_t above = slice_level_;
  std::int32_t size_above = slice_size_;
  for (std::size_t i = 1; i < layers_.size(); ++i) {
    std::int32_t level = tree_->level_of(layers_[i].level);
    if (level < 0) return fail(Kind::unknown_layer, layers_[i].level);
    if (static_cast<std::size_t>(level) <= above)
      return fail(Kind::layer_not_lower, layers_[i].level, levels[above].node_label);
    failure.fits = layers_[i].size;
    failure.asked = size_above;
    if (layers_[i].size <= 0 || size_above % layers_[i].size != 0) return fail(Kind::layer_uneven);
    for (std::size_t l = above + 1; l <= static_cast<std::size_t>(level); ++l) inner_size_[l] = layers_[i].size;
    above = static_cast<std::size_t>(level);
    size_above = layers_[i].size;
  }
  failure.fits = failure.asked = 0;
  return true;
}

// ---- how much every domain can take ----

void TopologySearch::fill_leaves(const PlacementAsk& workers, const PlacementAsk* leader, const NodeMatch& match,
                                 std::span<const LeafUse> assumed, const SearchSetting& setting) {
  const TopologyTree& tree = *tree_;
  const std::size_t width = tree.columns.size();
  states_.assign(tree.domains.size(), State{});
  outside_ = 0;
  lacking_.clear();
  const Demands& demands = topologies_.demands(workers.demand);
  const std::size_t place = topologies_.place_in(workers.demand);
  const std::size_t lead_place = leader == nullptr ? 0 : topologies_.place_in(leader->demand);

  assumed_rows_.clear();
  if (!assumed.empty()) {
    assumed_at_.assign(tree.leaves(), -1);
    for (const LeafUse& use : assumed) {
      LeafId leaf = use.leaf;
      if (&topologies_[use.tree] != &tree) {
        leaf = topologies_.leaf_on(tree, use.host);
      }
      if (leaf == kNoTree) continue;
      std::int32_t& at = assumed_at_[leaf];
      if (at < 0) {
        at = static_cast<std::int32_t>(assumed_rows_.size());
        assumed_rows_.resize(assumed_rows_.size() + width, 0);
      }
      std::int64_t* row = &assumed_rows_[static_cast<std::size_t>(at)];
      for (const auto& [resource, amount] : topologies_.demands(use.demand)) {
        std::int32_t column = tree.column(resource);
        if (column >= 0) row[column] += amount * use.count;
      }
      row[tree.pods_column] += use.count;
    }
  }

  // Kueue compares the whole path of a leaf with a host's name alone: below a host there is nothing.
  std::size_t under_level = 0;
  bool nothing = false;
  if (setting.under != kNoTree) {
    while (tree.level_begin[under_level + 1] <= setting.under) ++under_level;
    nothing = tree.of_hosts && under_level > 0 && under_level + 1 == tree.levels();
  }

  row_.resize(width);
  const std::int64_t* all =
      setting.simulate_empty ? tree.free.data() : numbers_.numbers() + tree.first_number;
  for (LeafId leaf : match.leaves) {
    State& state = states_[tree.first_leaf() + leaf];
    if (setting.under != kNoTree && (nothing || tree.ancestor(leaf, under_level) != setting.under)) {
      ++outside_;
      continue;
    }
    const std::int64_t* row = all + leaf * width;
    bool own = false;
    auto copy = [&] {
      if (!own) std::copy(row, row + width, row_.begin());
      own = true;
      row = row_.data();
    };
    if (!assumed_rows_.empty() && assumed_at_[leaf] >= 0) {
      copy();
      for (std::size_t c = 0; c < width; ++c)
        row_[c] -= assumed_rows_[static_cast<std::size_t>(assumed_at_[leaf]) + c];
    }
    std::uint32_t lacking = 0;
    state.pods = times_with_place(tree, row, demands, place, lacking);
    if (state.pods == 0) {
      auto known = std::find_if(lacking_.begin(), lacking_.end(), [&](auto& l) { return l.first == lacking; });
      if (known == lacking_.end()) {
        lacking_.emplace_back(lacking, 1);
      } else {
        ++known->second;
      }
    }
    state.pods_beside = state.pods;
    if (leader == nullptr) continue;
    const Demands& lead = topologies_.demands(leader->demand);
    std::uint32_t ignored = 0;
    if (times_with_place(tree, row, lead, lead_place, ignored) <= 0) continue;
    state.leaders = 1;
    copy();
    for (const auto& [resource, amount] : lead) {
      std::int32_t column = tree.column(resource);
      if (column >= 0) row_[static_cast<std::size_t>(column)] -= amount;
    }
    row_[tree.pods_column] -= 1;
    state.pods_beside = times_with_place(tree, row_.data(), demands, place, ignored);
  }
}

void TopologySearch::roll_up_domain(DomainId id, std::size_t level) {
  const TopologyTree::Domain& domain = tree_->domains[id];
  State& state = states_[id];
  std::int32_t pods = 0;
  std::int32_t slices = 0;
  std::int32_t pods_lost = kMost;
  std::int32_t slices_lost = kMost;
  bool any = false;
  state.leaders = 0;
  const std::int32_t inner = inner_size_[level + 1];
  for (DomainId c = domain.first_child; c < domain.end_of_children; ++c) {
    const State& child = states_[c];
    std::int32_t own = child.pods;
    std::int32_t beside = child.pods_beside;
    if (inner > 0) {
      own = own / inner * inner;
      beside = beside / inner * inner;
    }
    pods += own;
    slices += child.slices;
    if (leaders_ == 0 || child.leaders > 0) {
      any = true;
      pods_lost = std::min(pods_lost, own - beside);
      slices_lost = std::min(slices_lost, child.slices - child.slices_beside);
    }
    state.leaders = std::max(state.leaders, child.leaders);
  }
  state.pods = pods;
  state.pods_beside = any ? pods - pods_lost : 0;
  state.slices = slices;
  state.slices_beside = any ? slices - slices_lost : 0;
  if (level == slice_level_) {
    state.slices = state.pods / slice_size_;
    state.slices_beside = state.pods_beside / slice_size_;
  }
}

void TopologySearch::roll_up() {
  const TopologyTree& tree = *tree_;
  std::size_t lowest = tree.levels() - 1;
  if (lowest == slice_level_) {
    for (DomainId d = tree.first_leaf(); d < tree.domains.size(); ++d) {
      states_[d].slices = states_[d].pods / slice_size_;
      states_[d].slices_beside = states_[d].pods_beside / slice_size_;
    }
  }
  for (std::size_t level = lowest; level-- > 0;) {
    for (DomainId d = tree.level_begin[level]; d < tree.level_begin[level + 1]; ++d) roll_up_domain(d, level);
  }
}

// ---- orders ----

void TopologySearch::sort_for_workers(List& list) const {
  std::sort(list.begin(), list.end(), [&](DomainId a, DomainId b) {
    const State& x = states_[a];
    const State& y = states_[b];
    if (x.slices != y.slices) return least_free_ ? x.slices < y.slices : x.slices > y.slices;
    if (x.pods != y.pods) return x.pods < y.pods;
    return a < b;  // by the values of its levels
  });
}

void TopologySearch::sort_for_leader(List& list) const {
  std::sort(list.begin(), list.end(), [&](DomainId a, DomainId b) {
    const State& x = states_[a];
    const State& y = states_[b];
    if (x.leaders != y.leaders) return x.leaders > y.leaders;
    if (x.slices_beside != y.slices_beside)
      return least_free_ ? x.slices_beside < y.slices_beside : x.slices_beside > y.slices_beside;
    if (x.pods_beside != y.pods_beside) return x.pods_beside < y.pods_beside;
    return a < b;
  });
}

/// The first of those with the smallest number that is enough; the first at all if none is enough.
DomainId TopologySearch::tightest(std::span<const DomainId> list, std::int32_t need, std::int32_t leaders,
                                  Unit what) const {
  DomainId best = list.front();
  std::int32_t least = kMost;
  for (DomainId d : list) {
    if (states_[d].leaders < leaders) continue;
    std::int32_t has = value(d, what, leaders > 0);
    if (has < need || has >= least) continue;
    best = d;
    least = has;
  }
  return best;
}

TopologySearch::List TopologySearch::level_domains(std::size_t level) const {
  List list;
  for (DomainId d = tree_->level_begin[level]; d < tree_->level_begin[level + 1]; ++d) list.push_back(d);
  return list;
}

TopologySearch::List TopologySearch::children(DomainId domain) const {
  List list;
  const TopologyTree::Domain& d = tree_->domains[domain];
  for (DomainId c = d.first_child; c < d.end_of_children; ++c) list.push_back(c);
  return list;
}

/// Moves a domain to the front that can take the leader without making the rest too small.
void TopologySearch::lead_first(List& list, std::int32_t pods, std::int32_t leaders, std::int32_t unit,
                                Unit what) const {
  if (leaders == 0 || list.size() < 2) return;
  std::int32_t need = what == Unit::slices ? pods / unit : pods;
  std::int32_t available = 0;
  for (DomainId d : list) available += value(d, what, false);
  for (std::size_t i = 0; i < list.size(); ++i) {
    DomainId d = list[i];
    if (states_[d].leaders < leaders) continue;
    if (available - (value(d, what, false) - value(d, what, true)) < need) continue;
    std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i),
                list.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return;
  }
}

// ---- the level, and the domains of it ----

bool TopologySearch::choose(std::size_t level, std::size_t& found_at, List& out, PlacementFailure& failure) {
  List sorted = level_domains(level);
  if (sorted.empty()) {
    failure.kind = PlacementFailure::Kind::no_domains;
    failure.level = tree_->object->levels[level].node_label;
    return false;
  }
  sort_for_leader(sorted);
  DomainId top = sorted.front();
  const std::int32_t need = count_ / slice_size_;
  auto holds_all = [&](DomainId d) {
    return states_[d].slices_beside >= need && states_[d].leaders >= leaders_;
  };
  found_at = level;
  if (best_fit() && holds_all(top)) top = tightest(sorted, need, leaders_, Unit::slices);
  if (least_free_) {
    for (DomainId d : sorted) {
      if (leaders_ > 0 && states_[d].leaders < leaders_) continue;
      if (value(d, Unit::slices, leaders_ > 0) < need) continue;
      out = {d};
      return true;
    }
    if (required_) {
      failure = not_fit(states_[sorted.back()].pods, need, level);
      return false;
    }
  }
  if (holds_all(top)) {
    out = {top};
    return true;
  }
  if (required_) {
    failure = not_fit(states_[top].slices, need, level);
    return false;
  }
  if (level > 0 && !unconstrained_) return choose(level - 1, found_at, out, failure);
  out = spread(std::move(sorted), need, failure, level);
  return !out.empty() || failure.kind == PlacementFailure::Kind::none;
}

/// Several domains of one level: first for the leader, then for the rest.
TopologySearch::List TopologySearch::spread(List sorted, std::int32_t need, PlacementFailure& failure,
                                            std::size_t level) {
  List result;
  const std::int32_t asked = need;
  std::int32_t leaders = leaders_;
  lead_first(sorted, count_, leaders_, slice_size_, Unit::slices);
  std::size_t i = 0;
  for (; leaders > 0 && i < sorted.size() && states_[sorted[i]].leaders > 0; ++i) {
    DomainId d = sorted[i];
    if (best_fit() && states_[d].slices_beside >= need)
      d = tightest(std::span(sorted).subspan(i), need, leaders, Unit::slices);
    result.push_back(d);
    leaders -= states_[d].leaders;
    need -= states_[d].slices_beside;
  }
  if (leaders > 0) {
    failure = not_fit(leaders_ - leaders, asked, level);
    return {};
  }
  List rest(sorted.begin() + static_cast<std::ptrdiff_t>(i), sorted.end());
  sort_for_workers(rest);
  for (std::size_t j = 0; need > 0 && j < rest.size(); ++j) {
    DomainId d = rest[j];
    if (best_fit() && states_[d].slices >= need) d = tightest(std::span(rest).subspan(j), need, 0, Unit::slices);
    result.push_back(d);
    need -= states_[d].slices;
  }
  if (need > 0) {
    failure = not_fit(asked - need, asked, level);
    return {};
  }
  return result;
}

// ---- shares ----

bool TopologySearch::consume_with_leader(DomainId& domain, std::span<const DomainId> rest, std::int32_t& need,
                                         std::int32_t& leaders, std::int32_t unit, Unit what) {
  auto holds_all = [&](DomainId d) { return value(d, what, true) >= need && states_[d].leaders >= leaders; };
  if (best_fit() && holds_all(domain)) domain = tightest(rest, need, leaders, what);
  State& state = states_[domain];
  std::int32_t& primary = what == Unit::slices ? state.slices : state.pods;
  std::int32_t& beside = what == Unit::slices ? state.slices_beside : state.pods_beside;
  if (holds_all(domain)) {
    primary = need;
    state.leaders = leaders;
    state.pods = need * unit;
    return true;
  }
  beside = std::min(beside, need);
  state.leaders = std::min(state.leaders, leaders);
  std::int32_t taken = beside;
  primary = taken;
  state.pods = taken * unit;
  leaders -= state.leaders;
  need -= taken;
  return false;
}

/// Hands `pods` out to the domains in their order, in whole units of `unit` pods with `what` slices; their
/// numbers become what they get. `unit` is 1 with pods.
TopologySearch::List TopologySearch::share(List list, std::int32_t pods, std::int32_t leaders, std::int32_t unit,
                                           Unit what) {
  lead_first(list, pods, leaders, unit, what);
  const bool slices = what == Unit::slices;
  std::int32_t need = slices ? pods / unit : pods;
  List result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    DomainId d = list[i];
    std::span<const DomainId> rest = std::span(list).subspan(i);
    if (leaders > 0) {
      bool complete = consume_with_leader(d, rest, need, leaders, slices ? unit : 1, what);
      result.push_back(d);
      if (complete) return result;
      continue;
    }
    if (best_fit() && value(d, what, false) >= need) d = tightest(rest, need, 0, what);
    State& state = states_[d];
    std::int32_t& primary = slices ? state.slices : state.pods;
    state.leaders = 0;
    result.push_back(d);
    if (primary >= need) {
      primary = need;
      state.pods = slices ? need * unit : need;
      return result;
    }
    need -= primary;
    if (slices) state.pods = state.slices * unit;
  }
  return {};  // Kueue logs it as a broken assumption and goes on with nothing
}

// ---- the search ----

TopologySearch::Result TopologySearch::find(TreeId tree, const PlacementAsk& workers, const PlacementAsk* leader,
                                            const NodeMatch& match, std::span<const LeafUse> assumed,
                                            const SearchSetting& setting) {
  Result result;
  tree_ = &topologies_[tree];
  match_ = &match;
  count_ = workers.count;
  leaders_ = leader == nullptr ? 0 : 1;
  result.failure.topology = tree_->object->name;
  if (!read_request(workers, result.failure)) return result;
  least_free_ = unconstrained_ && setting.mixed_profile;
  fill_leaves(workers, leader, match, assumed, setting);
  roll_up();

  List current;
  std::size_t level = requested_;
  PlacementFailure failure;
  if (!choose(requested_, level, current, failure)) {
    failure.topology = tree_->object->name;
    result.failure = std::move(failure);
    return result;
  }
  current = share(std::move(current), count_, leaders_, slice_size_, Unit::slices);
  const std::size_t lowest = tree_->levels() - 1;
  // Above the level of the slices a domain's share is forgotten: the children of all are one pool.
  for (; level < std::min(lowest, slice_level_); ++level) {
    List pool;
    for (DomainId d : current) {
      List kids = children(d);
      pool.insert(pool.end(), kids.begin(), kids.end());
    }
    sort_for_workers(pool);
    current = share(std::move(pool), count_, leaders_, slice_size_, Unit::slices);
  }
  for (; level < lowest; ++level) {
    std::int32_t unit = slice_size_;
    if (level >= slice_level_) unit = inner_size_[level + 1] > 0 ? inner_size_[level + 1] : 1;
    List next;
    for (DomainId d : current) {
      List kids = children(d);
      sort_for_workers(kids);
      if (unit > 1) {
        for (DomainId k : kids) {
          states_[k].slices = states_[k].pods / unit;
          states_[k].slices_beside = states_[k].pods_beside / unit;
        }
      }
      List part = share(std::move(kids), states_[d].pods, states_[d].leaders, unit,
                        unit > 1 ? Unit::slices : Unit::pods);
      next.insert(next.end(), part.begin(), part.end());
    }
    current = std::move(next);
  }

  std::sort(current.begin(), current.end());
  for (DomainId d : current) {
    LeafId leaf = d - tree_->first_leaf();
    if (states_[d].pods > 0) result.workers.push_back({leaf, states_[d].pods});
    if (leader != nullptr && states_[d].leaders > 0) result.leader.push_back({leaf, states_[d].leaders});
  }
  result.found = true;
  return result;
}

// ---- why not ----

std::int32_t TopologySearch::slices_below(DomainId domain, std::size_t level, std::size_t wanted,
                                          std::int32_t size) const {
  if (level >= wanted) return size > 0 ? states_[domain].pods / size : 0;
  std::int32_t total = 0;
  const TopologyTree::Domain& d = tree_->domains[domain];
  for (DomainId c = d.first_child; c < d.end_of_children; ++c) total += slices_below(c, level + 1, wanted, size);
  return total;
}

void TopologySearch::add_exclusions(PlacementFailure& failure) const {
  failure.nodes = static_cast<std::int32_t>(tree_->leaves());
  using Exclusion = PlacementFailure::Exclusion;
  auto add = [&](Exclusion::Kind kind, std::string name, std::int32_t nodes) {
    if (nodes > 0) failure.excluded.push_back({kind, std::move(name), nodes});
  };
  add(Exclusion::Kind::node_selector, {}, match_->node_selector);
  add(Exclusion::Kind::affinity, {}, match_->affinity);
  add(Exclusion::Kind::outside, {}, outside_);
  for (const auto& [taint, nodes] : match_->taints) add(Exclusion::Kind::taint, taint, nodes);
  for (const auto& [resource, nodes] : lacking_)
    add(Exclusion::Kind::resource, topologies_.resource_name(resource), nodes);
}

PlacementFailure TopologySearch::not_fit(std::int32_t fits, std::int32_t asked, std::size_t level) const {
  PlacementFailure failure;
  failure.kind = PlacementFailure::Kind::not_fit;
  failure.fits = fits;
  failure.asked = asked;
  failure.in_slices = slice_size_ != 1;
  if (layered_) {
    failure.kind = PlacementFailure::Kind::layers_not_fit;
    // Told about the domain with the most slices; among equals the first id, which of a host is its name.
    bool hosts = tree_->of_hosts && level + 1 == tree_->levels();
    auto name = [&](DomainId d) -> const std::string& {
      return tree_->leaf_values[d - tree_->first_leaf()].back();
    };
    DomainId best = tree_->level_begin[level];
    for (DomainId d = best + 1; d < tree_->level_begin[level + 1]; ++d) {
      bool more = states_[d].slices > states_[best].slices;
      bool same = states_[d].slices == states_[best].slices;
      if (more || (same && hosts && name(d) < name(best))) best = d;
    }
    for (const SliceLayer& layer : layers_) {
      auto wanted = static_cast<std::size_t>(tree_->level_of(layer.level));
      failure.layers.push_back(
          {layer.level, slices_below(best, level, wanted, layer.size), count_ / layer.size});
    }
  }
  add_exclusions(failure);
  return failure;
}

}  // namespace sluice::decide
