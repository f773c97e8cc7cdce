#include "result_difference.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "kube/manifest.hpp"

namespace sluice::test {
namespace {

using kube::Value;

std::string text(const Value* map, std::string_view key) {
  const Value* value = map == nullptr ? nullptr : map->find(key);
  return value == nullptr ? std::string() : std::string(value->text());
}

bool same_quantity(std::string a, std::string b) {
  if (a.empty()) a = "0";
  if (b.empty()) b = "0";
  if (a == b) return true;
  auto x = Quantity::parse(a);
  auto y = Quantity::parse(b);
  return x && y && *x == *y;
}

std::vector<std::string> strings(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Value& item : list->items()) out.emplace_back(item.text());
  return out;
}

std::map<std::string, const Value*> by_key(const Value* map) {
  std::map<std::string, const Value*> out;
  if (map == nullptr) return out;
  for (const kube::Member& member : map->members()) out[std::string(member.key.text())] = &member.value;
  return out;
}

/// A value of any shape as one text, its members in the order of their names.
std::string whole(const Value* value) {
  if (value == nullptr) return {};
  if (value->is_list()) {
    std::string out = "[";
    for (const Value& item : value->items()) out += whole(&item) + " ";
    return out + "]";
  }
  if (!value->is_map()) return std::string(value->text());
  std::string out = "{";
  for (const auto& [key, member] : by_key(value)) out += key + ":" + whole(member) + " ";
  return out + "}";
}

class Comparison {
 public:
  Comparison(const Value& expected, const Value& actual, Compared compared)
      : expected_(expected), actual_(actual), compared_(compared) {}

  std::string differences() {
    bool error = !text(&expected_, "error").empty();
    std::string got_error = text(&actual_, "error");
    if (got_error.find("not-yet-decided: ") != std::string::npos) {
      say(got_error);
      return out_;
    }
    if (error != !got_error.empty()) {
      say("expected " + std::string(error ? "an error" : "no error") + ", got `" + got_error + "`");
      return out_;
    }
    if (error) return out_;
    cycles();
    if (!out_.empty()) return out_;
    if (text(&expected_, "loop") != text(&actual_, "loop")) say("loop differs");
    final_states();
    final_usage();
    for (const char* part : {"weightedShares", "inactive"}) {
      same("final", part, whole(expected_.at({"final", part})), whole(actual_.at({"final", part})));
    }
    return out_;
  }

 private:
  void say(const std::string& what) { out_ += what + "\n"; }

  void same(const std::string& where, const std::string& what, const std::string& want,
            const std::string& got) {
    if (want != got) say(where + ": expected " + what + " `" + want + "`, got `" + got + "`");
  }

  void cycles() {
    const Value* want = expected_.find("cycles");
    const Value* got = actual_.find("cycles");
    std::size_t count = want == nullptr ? 0 : want->items().size();
    std::size_t got_count = got == nullptr ? 0 : got->items().size();
    for (std::size_t i = 0; i < count && i < got_count && out_.empty(); ++i) {
      cycle("cycle " + std::to_string(i + 1), want->items()[i], got->items()[i]);
    }
    if (out_.empty() && count != got_count) {
      say("expected " + std::to_string(count) + " cycles, got " + std::to_string(got_count));
    }
  }

  void cycle(const std::string& where, const Value& want, const Value& got) {
    same(where, "at", text(&want, "at"), text(&got, "at"));
    same(where, "step", text(&want, "step"), text(&got, "step"));
    std::vector<std::string> heads = strings(want.find("heads"));
    if (heads != strings(got.find("heads"))) {
      std::string list;
      for (const std::string& head : strings(got.find("heads"))) list += " " + head;
      std::string wanted;
      for (const std::string& head : heads) wanted += " " + head;
      say(where + ": expected heads" + wanted + ", got" + list);
    }
    std::map<std::string, const Value*> decisions;
    for (const Value& decision : got.find("decisions")->items())
      decisions[text(&decision, "workload")] = &decision;
    for (const Value& decision : want.find("decisions")->items()) {
      std::string name = text(&decision, "workload");
      auto it = decisions.find(name);
      if (it == decisions.end()) {
        say(where + " " + name + ": no decision");
      } else {
        compare_decision(where + " " + name, decision, *it->second);
      }
    }
  }

  void compare_decision(const std::string& where, const Value& want, const Value& got) {
    same(where, "outcome", text(&want, "outcome"), text(&got, "outcome"));
    same(where, "clusterQueue", text(&want, "clusterQueue"), text(&got, "clusterQueue"));
    pod_sets(where, want.find("podSets"), got.find("podSets"));
    same(where, "targets", targets(want), targets(got));
    if (compared_.messages) {
      same(where, "requeue", text(&want, "requeue"), text(&got, "requeue"));
      same(where, "message", text(&want, "message"), text(&got, "message"));
    }
  }

  static std::string targets(const Value& decision) {
    std::string out;
    const Value* list = decision.find("targets");
    if (list == nullptr) return out;
    for (const Value& target : list->items())
      out += text(&target, "workload") + " " + text(&target, "reason") + "; ";
    return out;
  }

  void pod_sets(const std::string& where, const Value* want, const Value* got) {
    std::size_t count = want == nullptr ? 0 : want->items().size();
    std::size_t got_count = got == nullptr ? 0 : got->items().size();
    if (count != got_count) {
      say(where + ": expected " + std::to_string(count) + " pod sets, got " + std::to_string(got_count));
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Value& x = want->items()[i];
      const Value& y = got->items()[i];
      std::string here = where + " pod set " + text(&x, "name");
      same(here, "name", text(&x, "name"), text(&y, "name"));
      same(here, "count", text(&x, "count"), text(&y, "count"));
      for (const char* part : {"topologyAssignment", "delayedTopologyRequest"}) {
        same(here, part, whole(x.find(part)), whole(y.find(part)));
      }
      std::map<std::string, const Value*> flavors = by_key(x.find("flavors"));
      std::map<std::string, const Value*> got_flavors = by_key(y.find("flavors"));
      if (flavors.size() != got_flavors.size()) say(here + ": other flavors");
      for (const auto& [resource, flavor] : flavors) {
        auto it = got_flavors.find(resource);
        same(here, resource, std::string(flavor->text()),
             it == got_flavors.end() ? "" : std::string(it->second->text()));
      }
      std::map<std::string, const Value*> usage = by_key(y.find("usage"));
      for (const auto& [resource, amount] : by_key(x.find("usage"))) {
        std::string got_amount = usage.contains(resource) ? std::string(usage[resource]->text()) : "";
        if (!same_quantity(std::string(amount->text()), got_amount)) {
          same(here, "usage of " + resource, std::string(amount->text()), got_amount);
        }
      }
    }
  }

  void final_states() {
    std::map<std::string, const Value*> want = by_key(expected_.at({"final", "workloads"}));
    std::map<std::string, const Value*> got = by_key(actual_.at({"final", "workloads"}));
    std::set<std::string> names;
    for (const auto& entry : want) names.insert(entry.first);
    for (const auto& entry : got) names.insert(entry.first);
    for (const std::string& name : names) {
      const Value* x = want.contains(name) ? want[name] : nullptr;
      const Value* y = got.contains(name) ? got[name] : nullptr;
      std::string where = "final " + name;
      same(where, "state", text(x, "state"), text(y, "state"));
      if (x == nullptr || y == nullptr) continue;
      if (text(x, "state") != "Finished") pod_sets(where, x->find("podSets"), y->find("podSets"));
      if (compared_.messages) {
        same(where, "evicted", text(x, "evicted"), text(y, "evicted"));
        same(where, "reason", text(x, "reason"), text(y, "reason"));
        same(where, "message", text(x, "message"), text(y, "message"));
      }
    }
  }

  void final_usage() {
    for (const auto& [queue, flavors] : by_key(expected_.at({"final", "usage"}))) {
      for (const auto& [flavor, resources] : by_key(flavors)) {
        for (const auto& [resource, want] : by_key(resources)) {
          const Value* got = actual_.at({"final", "usage", queue, flavor, resource});
          for (const char* key : {"reserved", "borrowed"}) {
            if (same_quantity(text(want, key), text(got, key))) continue;
            same("final usage " + queue + " " + flavor + " " + resource, key, text(want, key),
                 text(got, key));
          }
        }
      }
    }
  }

  const Value& expected_;
  const Value& actual_;
  Compared compared_;
  std::string out_;
};

}  // namespace

std::string result_difference(const std::string& expected, const std::string& actual, Compared compared) {
  kube::Manifest want = kube::parse_json(expected, "expected");
  kube::Manifest got = kube::parse_json(actual, "actual");
  return Comparison(want.documents()[0], got.documents()[0], compared).differences();
}

std::string member_of_line(const std::string& line, std::initializer_list<std::string_view> path) {
  kube::Manifest manifest = kube::parse_json(line, "line");
  const Value* value = manifest.documents()[0].at(path);
  return value == nullptr ? std::string() : std::string(value->text());
}

}  // namespace sluice::test
