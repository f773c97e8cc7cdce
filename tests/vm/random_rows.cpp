#include "random_rows.hpp"

#include <array>
#include <limits>

#include "random_policy.hpp"
#include "vm/machine.hpp"

namespace sluice::test {

namespace {

std::uint64_t hash(std::uint64_t seed, FieldId field, std::string_view key, std::uint32_t row) {
  std::uint64_t sum = seed * 1000003 + static_cast<std::uint64_t>(field) * 7919 + row * 104729;
  for (const char c : key) sum = sum * 131 + static_cast<unsigned char>(c);
  return Random(sum).next();
}

}  // namespace

TreeValue RandomRows::cell(FieldId field, std::string_view key, std::uint32_t row) const {
  const FieldInfo& about = info(field);
  Random random(hash(seed_, field, key, row));
  if (about.presence == Presence::optional && random.percent(35)) return {false, 0, {}};
  const std::int64_t hour = 3'600'000'000'000;
  const auto small = static_cast<std::int64_t>(random.below(24));
  switch (about.type) {
    case FieldType::boolean: return {true, small % 2, {}};
    case FieldType::text: {
      constexpr std::array texts = {"prod", "batch", "ml", "a", "", "zone", "dws"};
      return {true, 0, texts[random.below(texts.size())]};
    }
    case FieldType::number:
      if (random.percent(4)) return {true, std::numeric_limits<std::int64_t>::max() - small, {}};
      return {true, small - 4, {}};
    case FieldType::amount:
      if (random.percent(6)) return {true, std::numeric_limits<std::int64_t>::max(), {}};
      if (key == "memory") return {true, small << 30, {}};
      return {true, key == "cpu" ? small * 500 : small, {}};
    case FieldType::duration: return {true, small * hour / 2, {}};
    case FieldType::instant: return {true, now_.ns - (small - 6) * hour / 2 - static_cast<std::int64_t>(random.below(3)) * 1'000'000'000, {}};
    case FieldType::money: return {true, small * 1'000'000, {}};
  }
  return {};
}

RandomRows::RandomRows(const program::Program& program, std::uint64_t seed, Instant now)
    : program_(program), seed_(seed), now_(now), values_(program.columns.size()) {
  vm::seed(texts_, program);
  Random random(seed);
  for (std::size_t i = 0; i < program.columns.size(); ++i) {
    Values& column = values_[i];
    column.values.resize(64);
    column.present.resize(1);
    for (std::uint32_t row = 0; row < 64; ++row) {
      const TreeValue value = cell(program.columns[i].field, program.columns[i].key, row);
      if (!value.present) continue;
      const bool text = info(program.columns[i].field).type == FieldType::text;
      column.values[row] = text ? static_cast<std::int64_t>(texts_.intern(value.text)) : value.number;
      column.present[0] |= std::uint64_t{1} << row;
    }
  }
  offsets_.push_back(0);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    offsets_.push_back(offsets_.back() + static_cast<std::uint32_t>(random.below(4)));
    if (random.percent(80)) living_.push_back(row);
  }
  tree_.cell = [this](FieldId field, std::string_view key, std::uint32_t row) { return cell(field, key, row); };
  tree_.elements = [this](CollectionId collection, std::uint32_t owner) {
    if (collection == CollectionId::workloads) return living_;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = offsets_[owner]; row < offsets_[owner + 1]; ++row) rows.push_back(row);
    return rows;
  };
  for (std::size_t role = 0; role < program::kRoles; ++role) {
    tree_.roles[static_cast<program::Role>(role)] = static_cast<std::uint32_t>(random.below(kRows));
  }
  if (random.percent(50)) {
    tree_.stock_outs["dws"] = now.ns - 1000;
    stock_outs_.push_back({texts_.intern("dws"), now.ns - 1000});
  }
}

vm::Binding RandomRows::binding() {
  columns_.clear();
  for (const Values& column : values_) columns_.push_back({column.values.data(), column.present.data()});
  collections_.assign(collection_infos.size(), vm::Collection{});
  collections_[static_cast<std::size_t>(CollectionId::workload_pod_sets)].offsets = offsets_.data();
  collections_[static_cast<std::size_t>(CollectionId::workloads)].rows = living_;
  return {&texts_, columns_, collections_, stock_outs_};
}

}  // namespace sluice::test
