#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// What a policy can see, made from fields.def and functions.def.
namespace sluice {

enum class Table : std::uint8_t {
#define TABLE(id, word, scope, manual) id,
#include "model/fields.def"
};

/// `world`: no row; for collections that no row owns.
inline constexpr std::uint8_t kNoTable = 0xff;

enum class FieldId : std::uint16_t {
#define FIELD(id, table, word, type, unit, key, presence, bare, origin, manual) id,
#include "model/fields.def"
};

enum class CollectionId : std::uint8_t {
#define COLLECTION(id, owner, word, element, manual) id,
#include "model/fields.def"
};

enum class FunctionId : std::uint8_t {
#define FUNCTION(id, word, signature, time, manual) id,
#include "model/functions.def"
};

enum class FieldType : std::uint8_t { boolean, text, number, amount, duration, instant, money };
enum class FieldKey : std::uint8_t { none, label, resource };
enum class Presence : std::uint8_t { always, optional };
/// The decision points that have a row of a table.
enum class TableScope : std::uint8_t { always, pod_set, queued, flavor, admit, preempt, provision, place };

struct TableInfo {
  Table id;
  std::string_view word;
  TableScope scope;
  std::string_view manual;
};

struct RoleInfo {
  std::string_view word;
  Table table;
  TableScope scope;
  std::string_view manual;
};

struct FieldInfo {
  FieldId id;
  Table table;
  std::string_view word;
  FieldType type;
  std::string_view unit;
  FieldKey key;
  Presence presence;
  bool bare;  ///< the word alone means this field
  std::string_view origin;
  std::string_view manual;
};

struct CollectionInfo {
  CollectionId id;
  std::uint8_t owner;  ///< a Table, or kNoTable
  std::string_view word;
  Table element;
  std::string_view manual;
};

struct FunctionInfo {
  FunctionId id;
  std::string_view word;
  std::string_view signature;
  bool moves;  ///< its value may change by waiting alone
  std::string_view manual;
};

inline constexpr std::array table_infos = {
#define TABLE(id, word, scope, manual) TableInfo{Table::id, word, TableScope::scope, manual},
#include "model/fields.def"
};

inline constexpr std::array role_infos = {
#define ROLE(id, word, table, scope, manual) RoleInfo{word, Table::table, TableScope::scope, manual},
#include "model/fields.def"
};

namespace fields_detail {
inline constexpr bool yes = true;
inline constexpr bool no = false;
inline constexpr bool moves = true;
inline constexpr bool still = false;
inline constexpr std::uint8_t world = kNoTable;
#define TABLE(id, word, scope, manual) inline constexpr auto id = static_cast<std::uint8_t>(Table::id);
#include "model/fields.def"
inline constexpr std::array fields = {
#define FIELD(id, table, word, type, unit, key, presence, bare, origin, manual)                                 \
  FieldInfo{FieldId::id,   Table::table,       word, FieldType::type, #unit, FieldKey::key, Presence::presence, \
            fields_detail::bare, origin, manual},
#include "model/fields.def"
};
inline constexpr std::array collections = {
#define COLLECTION(id, owner, word, element, manual) \
  CollectionInfo{CollectionId::id, fields_detail::owner, word, Table::element, manual},
#include "model/fields.def"
};
inline constexpr std::array functions = {
#define FUNCTION(id, word, signature, time, manual) \
  FunctionInfo{FunctionId::id, word, signature, fields_detail::time, manual},
#include "model/functions.def"
};
}  // namespace fields_detail

inline constexpr const auto& field_infos = fields_detail::fields;
inline constexpr const auto& collection_infos = fields_detail::collections;
inline constexpr const auto& function_infos = fields_detail::functions;

constexpr const TableInfo& info(Table table) { return table_infos[static_cast<std::size_t>(table)]; }
constexpr const FieldInfo& info(FieldId field) { return field_infos[static_cast<std::size_t>(field)]; }
constexpr const CollectionInfo& info(CollectionId collection) {
  return collection_infos[static_cast<std::size_t>(collection)];
}
constexpr const FunctionInfo& info(FunctionId function) { return function_infos[static_cast<std::size_t>(function)]; }

}  // namespace sluice
