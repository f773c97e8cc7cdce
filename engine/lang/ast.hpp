#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/span.hpp"
#include "model/objects.hpp"

/// The syntax tree of the whole language: what the author wrote, nothing looked up, nothing computed.
///
/// Nodes live in one `Arena` per compilation and die with it; they are never changed after parsing. What
/// later passes find out about a node (type, resolved symbol, register) they keep in tables of their own,
/// indexed by its `NodeId`: ids are dense over all files of one arena.
///
/// Reading order: `File` at the end; then `Declaration`, `Rule`, `Expr`.
namespace sluice::lang::ast {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffff;

/// A name as written: `on-demand`, `google.com/tpu`, `"4xh100"` (quoted, for names that are no word; `text`
/// is without quotes, `span` with them).
struct Name {
  std::string_view text;
  Span span;

  bool empty() const { return text.empty(); }
};

// Part: expressions.

struct Expr;
using ExprPtr = const Expr*;  ///< never null unless the field says so

enum class LiteralKind : std::uint8_t {
  number,        ///< `12`, `1.5`, `1e3`: no unit
  quantity,      ///< `500m`, `20Gi`, `75M`: a number with a Kubernetes suffix
  percent,       ///< `80%`
  duration,      ///< `90s`, `10min`, `2h30min`, `7d`, `500ms`
  money,         ///< `12.50USD`: three capital letters
  unknown_unit,  ///< a number with any other letters: `3parsecs`
  clock,         ///< `08:00`, `08:00:30`: a time of day
  string,        ///< `text` is what stands between the quotes, escapes resolved
  boolean,       ///< `true`, `false`
  none,          ///< `none`
};
/// `text` is as written, sign and quotes apart; numbers are not converted here (the unit decides how).
struct Literal {
  LiteralKind kind;
  std::string_view text;
};

/// One word: a variable, param, function parameter, flavor, queue, enum value, resource (`cpu`), weekday …
struct NameRef {
  std::string_view text;
};
/// A name with a domain, which is never a variable: `google.com/tpu`, `default/user-queue`.
struct QualifiedName {
  std::string_view text;
};
/// `object.member`. A dotted name that means something as a whole (a label key, `queued-provisioning.gke.io`)
/// looks the same: see `is_dotted_name`.
struct Member {
  ExprPtr object = nullptr;
  Name member;
};
/// `labels["team"]`.
struct Index {
  ExprPtr object = nullptr;
  ExprPtr key = nullptr;
};
/// `hours(waited)`; `workload.total(cpu)` has an object.
struct Call {
  ExprPtr object = nullptr;  ///< null: a free function
  Name function;
  std::span<const ExprPtr> arguments;
};
enum class UnaryOp : std::uint8_t { logical_not, negate, has };
struct Unary {
  UnaryOp op;
  ExprPtr operand = nullptr;
};
enum class BinaryOp : std::uint8_t {
  logical_or,  ///< also `x or default`: which of the two, the types decide
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  matches,
  add,
  subtract,
  multiply,
  divide,
};
struct Binary {
  BinaryOp op;
  Span op_span;
  ExprPtr left = nullptr;
  ExprPtr right = nullptr;
};
/// `if condition then yes else no`.
struct Conditional {
  ExprPtr condition = nullptr;
  ExprPtr yes = nullptr;
  ExprPtr no = nullptr;
};
enum class AggregateKind : std::uint8_t { any, all, count, sum, min, max };
/// `sum(value of variable in collection where filter)`. `any`, `all`, `count` have no value. The variable is
/// known in `value` and `filter`; its id is that of the whole expression.
struct Aggregate {
  AggregateKind kind;
  ExprPtr value = nullptr;  ///< null for any, all, count
  Name variable;
  ExprPtr collection = nullptr;
  ExprPtr filter = nullptr;  ///< null: every element; never null for any and all
};
/// `[mon, tue]`.
struct List {
  std::span<const ExprPtr> items;
};
/// `08:00..20:00`, `1..9`: from, up to and without.
struct Range {
  ExprPtr from = nullptr;
  ExprPtr to = nullptr;
};

struct Expr {
  NodeId id = no_node;
  Span span;
  bool parenthesised = false;  ///< `(…)` stood around it; `span` is without the parentheses
  std::variant<Literal, NameRef, QualifiedName, Member, Index, Call, Unary, Binary, Conditional, Aggregate,
               List, Range>
      node;
};

/// The node as `T`, or null.
template <class T>
const T* as(ExprPtr expr) {
  return expr == nullptr ? nullptr : std::get_if<T>(&expr->node);
}

/// A text with `{expression}` holes: pieces in order. `{{` and `}}` are braces.
struct TextPiece {
  std::string_view literal;  ///< escapes resolved; empty if `hole` is set
  ExprPtr hole = nullptr;
};
struct Text {
  Span span;  ///< with the quotes
  std::span<const TextPiece> pieces;
};

// Part: types, params, functions, imports.

/// `string`, `duration?` (may be absent), `[string]` (a list).
struct TypeRef {
  Name name;
  Span span;
  bool optional = false;
  bool list = false;
};

/// `import gke.tpu { v6e, v5e as old }`; without braces everything.
struct Import {
  struct Item {
    Name name;
    Name alias;  ///< empty: none
  };
  Name path;
  bool everything = false;
  std::span<const Item> items;
};
/// `param zone: string = "Europe/Paris"`.
struct Param {
  TypeRef type;
  ExprPtr value = nullptr;  ///< null: must be given from outside
};
/// `fn is-night(t: instant) -> bool = …`.
struct Function {
  struct Parameter {
    NodeId id = no_node;
    Name name;
    TypeRef type;
  };
  std::span<const Parameter> parameters;
  TypeRef result;
  ExprPtr body = nullptr;
};

// Part: objects of Kueue.

/// `key = value` of node and template labels.
struct KeyValue {
  Name key;
  ExprPtr value = nullptr;
};
enum class TaintEffect : std::uint8_t { no_schedule, prefer_no_schedule, no_execute };
/// `taint nvidia.com/gpu = "present": no-schedule`; without value: an empty one. The effect is required.
struct TaintClause {
  Span span;
  Name key;
  ExprPtr value = nullptr;  ///< null: none
  TaintEffect effect = TaintEffect::no_schedule;
};
/// `tolerate google.com/tpu` (exists), `tolerate k = "v": no-schedule for 5min`, `tolerate all`, `tolerate k
/// > 5`.
struct TolerateClause {
  enum class Op : std::uint8_t { exists, equal, greater, less };
  Span span;
  bool all = false;  ///< every key; `key` is empty
  Name key;
  Op op = Op::exists;
  ExprPtr value = nullptr;            ///< null for exists
  std::optional<TaintEffect> effect;  ///< unset: every effect
  ExprPtr seconds = nullptr;          ///< a duration; null: for ever
};
/// `flavor on-demand { nodes k = v  taint …  tolerate …  topology T  check C }`.
struct Flavor {
  std::span<const KeyValue> nodes;
  std::span<const TaintClause> taints;
  std::span<const TolerateClause> tolerations;
  Name topology;                 ///< empty: none
  std::span<const Name> checks;  ///< admission checks that this flavor needs, in every queue
};
/// `retry 3 times backoff 60s up-to 30min`.
struct RetryClause {
  Span span;
  ExprPtr times = nullptr;
  ExprPtr backoff = nullptr;  ///< null: default
  ExprPtr up_to = nullptr;    ///< null: default
};
/// `provision dws-prov {…}`: an AdmissionCheck of the provisioning controller and its
/// ProvisioningRequestConfig.
struct Provision {
  Name class_name;                       ///< `class queued-provisioning.gke.io`; empty if not given
  Name config;                           ///< name of the ProvisioningRequestConfig; empty: that of the check
  std::span<const Name> manage;          ///< managed resources; none: all
  std::span<const KeyValue> parameters;  ///< `parameter k = v`
  std::optional<RetryClause> retry;
  struct NodeUpdate {
    Name key;
    Name detail;
  };
  std::span<const NodeUpdate> node_updates;  ///< `select k from detail`: podSetUpdates.nodeSelector
  Name merge;  ///< `merge identical-pod-templates` or `identical-workload-scheduling-requirements`; empty:
               ///< none
};
/// `check multi { controller kueue.x-k8s.io/multikueue  parameters kueue.x-k8s.io/MultiKueueConfig name }`.
struct Check {
  Name controller;       ///< empty if not given
  Name parameters_kind;  ///< group/kind; empty: none
  Name parameters_name;
};
/// `topology t { level block = cloud.google.com/gce-topology-block … }`, widest first.
struct Topology {
  struct Level {
    Name name;
    Name node_label;
  };
  std::span<const Level> levels;
};
/// `cpu 40 borrow 20 lend 10`, `cpu unlimited`.
struct ResourceQuota {
  Span span;
  Name resource;
  ExprPtr nominal = nullptr;  ///< null: unlimited
  ExprPtr borrow = nullptr;   ///< null: no limit of its own
  ExprPtr lend = nullptr;     ///< null: everything is lendable
};
/// `flavor on-demand { cpu 40, memory 75Gi }` in a group, `flavor dws unlimited`, `quota on-demand {…}` of a
/// cohort.
struct FlavorQuotas {
  Span span;
  Name flavor;
  bool unlimited = false;  ///< every covered resource; `resources` is empty
  std::span<const ResourceQuota> resources;
};
/// `group cpu, memory { flavor … }`: flavors in order of preference.
struct ResourceGroup {
  Span span;
  std::span<const Name> resources;
  std::span<const FlavorQuotas> flavors;
};
/// `cohort research { parent company  weight 2  quota on-demand { cpu 100 }  group … }`.
struct Cohort {
  Name parent;               ///< empty: none
  ExprPtr weight = nullptr;  ///< null: default
  std::span<const FlavorQuotas> quotas;
  std::span<const ResourceGroup> groups;
};
/// `accept all namespaces`, `accept no namespaces`, `accept namespaces where …`.
struct AcceptClause {
  enum class Kind : std::uint8_t { all, no, where };
  Span span;
  Kind kind = Kind::all;
  ExprPtr condition = nullptr;  ///< null unless `where`
};
/// `preempt within-queue P, within-cohort P, while-borrowing lower-priority below 100`. An unset policy is
/// never.
struct PreemptClause {
  Span span;
  std::optional<PreemptionPolicy> within_queue;
  std::optional<PreemptionPolicy> within_cohort;
  std::optional<PreemptionPolicy> while_borrowing;  ///< `while-borrowing below N` alone is lower_priority
  ExprPtr threshold = nullptr;                      ///< null: none
  bool threshold_inclusive = false;                 ///< `up-to N`; else `below N`
};
/// `fungible can-borrow try-next, can-preempt stay, prefer borrowing`.
struct FungibleClause {
  Span span;
  std::optional<FungibilityPolicy> can_borrow;
  std::optional<FungibilityPolicy> can_preempt;
  std::optional<FungibilityPreference> preference;
};
/// `check dws-prov on dws, spot`; without `on`: every flavor.
struct CheckClause {
  Span span;
  Name check;
  std::span<const Name> flavors;
};
struct Queue {
  Name cohort;  ///< empty: none
  std::optional<QueueingStrategy> strategy;
  std::optional<AcceptClause> accept;  ///< unset: no namespace, as in Kueue
  std::span<const ResourceGroup> groups;
  std::optional<PreemptClause> preempt;
  std::optional<FungibleClause> fungible;
  ExprPtr weight = nullptr;  ///< null: default
  std::optional<StopPolicy> stop;
  std::span<const CheckClause> checks;
  bool usage_based_fair_sharing = false;  ///< `admission usage-based`
  bool concurrent_admission = false;      ///< `admission concurrent`
};
/// `local-queue default/user-queue -> cluster-queue { stop hold  weight 2 }`. The declaration's name is the
/// whole.
struct LocalQueue {
  Name name_space;
  Name name;
  Name queue;
  std::optional<StopPolicy> stop;
  ExprPtr weight = nullptr;  ///< null: default
};
/// `priority-class batch = 10 "may be preempted"`: a WorkloadPriorityClass.
struct PriorityClass {
  ExprPtr value = nullptr;
  std::string_view description;
};

// Part: ComputeClass.

enum class Provisioning : std::uint8_t { on_demand, spot, flex_start, calendar, reservation };
/// Options of a way to get machines: `flex-start { wait 6h, max-run 7d }`.
struct Option {
  Name key;
  ExprPtr value = nullptr;
};
enum class ReservationAffinity : std::uint8_t { any, specific, none };
/// One thing a machine rule says: `machine-type c3-highcpu-22`, `spot`, `reservation specific "perf"` …
struct MachineClause {
  enum class Kind : std::uint8_t {
    machine_type,  ///< names[0]
    family,        ///< names[0]
    node_pools,    ///< names
    pod_family,    ///< names[0]
    min_cores,     ///< value
    min_memory,    ///< value
    zones,         ///< names
    accelerator,   ///< `gpu nvidia-l4 2`, `tpu tpu-v6e-slice 4`: word gpu or tpu, names[0], value
    on_demand,
    spot,
    reservation,  ///< affinity; names of `specific`
    flex_start,   ///< options
    max_run,      ///< value: a duration
    wait,         ///< value: how long to wait for capacity before the next rule
    placement,    ///< names[0]: a placement policy
  };
  Kind kind = Kind::machine_type;
  Span span;
  Name word;  ///< the keyword itself
  std::span<const Name> names;
  ExprPtr value = nullptr;  ///< null if the kind has none
  ReservationAffinity affinity = ReservationAffinity::any;
  std::span<const Option> options;
};
/// `score 900 { family n4  spot }`, or one line `machine-type a3-highgpu-8g  spot` without a score.
struct MachineRule {
  Span span;
  ExprPtr score = nullptr;  ///< null: by position
  std::span<const MachineClause> clauses;
};
/// `consolidate after 5min below 60%`.
struct ConsolidateClause {
  Span span;
  ExprPtr after = nullptr;  ///< null: default
  ExprPtr below = nullptr;  ///< null: default
};
struct ComputeClass {
  std::span<const MachineRule> rules;
  std::optional<bool> scale_up_anyway;  ///< `unsatisfiable scale-up-anyway` or `do-not-scale-up`
  bool migrate_to_higher_priority = false;
  std::optional<ConsolidateClause> consolidate;
};

// Part: rules.

enum class DecisionPoint : std::uint8_t { submit, order, flavor, admit, preempt, provision, place };

struct DenyVerdict {};
struct WarnVerdict {};
/// `default queue user-queue`, `default priority-class batch`, `default label team = "ml"`,
/// `default topology require block`, `default compute-class performance`.
struct DefaultVerdict {
  Name field;  ///< queue, priority, priority-class, label, annotation, topology, compute-class, max-run …
  Name key;    ///< of label and annotation; else empty
  Name mode;   ///< of topology: require or prefer; else empty
  ExprPtr value = nullptr;
};
struct ScoreVerdict {
  ExprPtr value = nullptr;
};
struct SkipVerdict {};
/// `prefer dws over on-demand`.
struct PreferVerdict {
  Name flavor;
  Name over;
};
struct HoldVerdict {
  ExprPtr until = nullptr;  ///< an instant, or a condition on the clock; null: as long as the rule matches
};
/// `require check license`.
struct RequireCheckVerdict {
  Name check;
};
struct ProtectVerdict {};
struct CostVerdict {
  ExprPtr value = nullptr;
};
/// `use flex-start { wait 6h }`.
struct UseVerdict {
  Provisioning provisioning = Provisioning::on_demand;
  Span word;
  std::span<const Option> options;
};
enum class Placement : std::uint8_t { require, prefer, spread, slice };
/// `require rack`, `prefer block`, `spread zone`, `slice subblock of 8`.
struct PlaceVerdict {
  Placement placement = Placement::require;
  Name level;
  ExprPtr size = nullptr;  ///< of slice; else null
};
struct Verdict {
  Span span;
  ExprPtr after = nullptr;  ///< `after 30min prefer block`: waited >= this; null: at once
  std::variant<DenyVerdict, WarnVerdict, DefaultVerdict, ScoreVerdict, SkipVerdict, PreferVerdict,
               HoldVerdict, RequireCheckVerdict, ProtectVerdict, CostVerdict, UseVerdict, PlaceVerdict>
      node;
};

/// `let mine = …`: known below its line, in the same rule.
struct Let {
  NodeId id = no_node;
  Span span;
  Name name;
  ExprPtr value = nullptr;
};
enum class OnError : std::uint8_t { hold, skip, deny };
/// `rule NAME on POINT { let … when … then … because … on error … }`.
struct Rule {
  DecisionPoint point = DecisionPoint::submit;
  Span point_span;
  std::span<const Let> lets;
  ExprPtr when = nullptr;  ///< null: always
  std::span<const Verdict> then;
  std::optional<Text> because;
  std::optional<OnError> on_error;  ///< unset: hold
};
/// `on order collect sum`: the hit policy of a decision point, where it may differ from the default.
struct HitPolicy {
  DecisionPoint point = DecisionPoint::order;
  bool collect_sum = false;
};
/// `after 15min try dws  when max-run <= 7d  unless …  because "…"`.
struct Rung {
  Span span;
  ExprPtr after = nullptr;  ///< null: at once
  Name flavor;
  ExprPtr when = nullptr;    ///< null: none
  ExprPtr unless = nullptr;  ///< null: none
  std::optional<Text> because;
};
/// `fallback for queue Q {…}`. The declaration's name is that of the queue.
struct Fallback {
  std::span<const Rung> rungs;
  std::optional<Text> otherwise_hold;
};

// Part: capacity, tests, invariants.

/// `c3-highcpu-22 in us-central1-a reservation: used-up since "2026-…"`, `on-demand: stocked-out`.
struct CapacityEntry {
  Span span;
  Name subject;                              ///< a flavor, or a machine type
  Name zone;                                 ///< empty: everywhere
  std::optional<Provisioning> provisioning;  ///< unset: any
  Name state;                                ///< available, stocked-out, quota-exceeded, used-up …
  ExprPtr since = nullptr;                   ///< null: from the start
};
/// In a test; as a declaration in a file for `--capacity`.
struct Capacity {
  Span span;
  std::span<const CapacityEntry> entries;
};

/// `"two-pools.yaml"`: manifests or a snapshot, relative to the policy's file.
struct ClusterStep {
  std::string_view path;
  Span path_span;
};
/// `set zone = "UTC"`: a param, for this test.
struct SetStep {
  Name param;
  ExprPtr value = nullptr;
};
struct SubmitFileStep {
  std::string_view path;
  Span path_span;
  std::span<const KeyValue> sets;  ///< `with JOB_ID = 1`
  Name alias;                      ///< empty: none
};
/// `queue user-queue`, `priority-class batch`, `label team = "ml"`.
struct WorkloadField {
  Span span;
  Name key;  ///< queue, namespace, name, kind, user, priority, priority-class, max-run, label, annotation …
  Name subkey;  ///< of label and annotation; else empty
  ExprPtr value = nullptr;
};
/// `podset worker { count 4, cpu 2, google.com/tpu 4 }`.
struct PodSetField {
  Span span;
  Name name;
  ExprPtr count = nullptr;  ///< null: 1
  std::span<const KeyValue> requests;
};
struct SubmitWorkloadStep {
  std::span<const WorkloadField> fields;
  std::span<const PodSetField> pod_sets;
  Name alias;  ///< empty: none
};
/// `finish first`, `delete first`.
struct EndStep {
  bool finish = true;  ///< else delete
  Name workload;
};
/// `answer dws-prov for second ready`: the check's controller sets its state.
struct AnswerStep {
  Name check;
  Name workload;
  Name state;  ///< ready, retry, rejected, pending
};
/// One entry of `{ head: default-cpu, tpu-group: dws }` or `{ class performance, score 900 }`.
struct Expected {
  Span span;
  Name key;
  bool colon = false;
  ExprPtr value = nullptr;
};
/// What a workload should have come to: `waiting { tpu-group: dws } for dws-prov because "…" until "…"`.
struct Outcome {
  Span span;
  Name state;  ///< admitted, waiting, pending, held, denied, evicted, provisioned, inadmissible …
  std::span<const Expected> details;
  Name check;                      ///< `for C`; empty: none given
  std::optional<ExprPtr> because;  ///< a name (a check, a rule) or a string that the reason must contain
  ExprPtr until = nullptr;         ///< null: none given
};
struct ExpectStep {
  Name workload;
  Outcome outcome;
};
/// `at +15min …` (after the start of the test) or `at "2026-03-29T05:30:00Z" …`; the clock stays there.
struct AtClause {
  Span span;
  bool relative = false;
  ExprPtr time = nullptr;
};
struct Step {
  Span span;
  std::optional<AtClause> at;
  std::variant<ClusterStep, Capacity, SetStep, SubmitFileStep, SubmitWorkloadStep, EndStep, AnswerStep,
               ExpectStep>
      node;
};
/// `for case | chips | waited | expect` and its rows: the whole test runs once for each row. Columns name
/// variables of the test; `waited` and `expect` are the test's own.
struct Table {
  struct Cell {
    ExprPtr value = nullptr;            ///< for an outcome with details, its state
    std::span<const Expected> details;  ///< `waiting { tpu-group: dws }`
    NodeId id = no_node;                ///< of the variable, in this row
  };
  struct Row {
    Span span;
    std::string_view name;
    Span name_span;
    std::span<const Cell> cells;  ///< as many as columns, or the parser reports
  };
  Span span;
  Name case_column;
  std::span<const Name> columns;  ///< without the first, which names the row
  std::span<const Row> rows;
};
/// The declaration's name is the test's title.
struct Test {
  std::span<const Step> steps;
  std::optional<Table> table;
};
/// `never for w in workloads where …: …`; the variable's id is `id`.
struct InvariantClause {
  NodeId id = no_node;
  Span span;
  bool always = false;  ///< else never
  Name variable;
  ExprPtr collection = nullptr;
  ExprPtr filter = nullptr;  ///< null: every element
  ExprPtr condition = nullptr;
};
struct Invariant {
  std::span<const InvariantClause> clauses;
};

// Part: files.

struct Declaration {
  NodeId id = no_node;
  Span span;             ///< from the keyword to the last token
  Span keyword;          ///< `queue`
  std::string_view doc;  ///< of `///`, without the slashes, lines joined by \n
  Name name;             ///< empty for imports, capacity and hit policies
  std::variant<Import, Param, Function, Flavor, Provision, Check, Topology, Cohort, Queue, LocalQueue,
               PriorityClass, ComputeClass, Fallback, Rule, HitPolicy, Capacity, Test, Invariant>
      node;
};

/// The node as `T`, or null.
template <class T>
const T* as(const Declaration& declaration) {
  return std::get_if<T>(&declaration.node);
}

/// A token or comment, for passes that care about layout: `format` and the editor.
struct Token {
  enum class Kind : std::uint8_t {
    word,
    number,
    string,
    clock,
    punctuation,
    line_comment,
    block_comment,
    doc_comment
  };
  /// What the token is to the syntax around it, where layout depends on it.
  enum class Role : std::uint8_t {
    none,
    declaration,  ///< its first token
    clause,       ///< first token of a clause, entry or step inside of braces
    row,          ///< first token of a table's row
    bar,          ///< `|` of a table
    guard,        ///< begins a part of a clause that may go to a line of its own: `when` of a rung, `spot`
    item,         ///< begins the next of several things after a comma
    body,         ///< begins what a head introduces: the condition of an invariant, the body of a function
    branch,       ///< `then` and `else` of a conditional
    disjunction,  ///< `or`
    conjunction,  ///< `and`
    sum,          ///< binary `+`, `-`
    product,      ///< `*`, `/`
    sign,         ///< unary `-`, `+` of a relative time: nothing stands between it and its operand
    postfix,      ///< `(` of a call, `[` of an index: nothing stands before it
  };
  Kind kind = Kind::word;
  Role role = Role::none;
  std::uint32_t begin = 0;  ///< bytes
  std::uint32_t end = 0;
  bool after_newline = false;  ///< nothing but white space before it in its line
  bool after_blank_line = false;

  bool is_comment() const { return kind >= Kind::line_comment; }
};

struct File {
  std::uint32_t source = 0;
  std::uint32_t edition = 0;  ///< 2026; 0 for what was typed in the REPL
  Span edition_span;
  std::span<const Declaration> declarations;
  std::span<const Token> tokens;
};

/// Whether `expr` is nothing but a word, a qualified name, or members of a word without parentheses: then the
/// source text of its span is the name as written (`nvidia.com/gpu`, `cpu`, `queued-provisioning.gke.io`).
bool is_dotted_name(ExprPtr expr);

/// Owns every node. One per compilation: all files, the standard library and what the REPL adds.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  const T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena never runs destructors");
    return new (memory_.allocate(sizeof(T), alignof(T))) T(std::move(value));
  }
  template <class T>
  std::span<const T> list(const std::vector<T>& values) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena never runs destructors");
    if (values.empty()) return {};
    T* first = static_cast<T*>(memory_.allocate(sizeof(T) * values.size(), alignof(T)));
    std::uninitialized_copy(values.begin(), values.end(), first);
    return {first, values.size()};
  }
  std::string_view text(std::string_view value) {
    if (value.empty()) return {};
    char* copy = static_cast<char*>(memory_.allocate(value.size(), 1));
    std::memcpy(copy, value.data(), value.size());
    return {copy, value.size()};
  }
  NodeId next_id() { return count_++; }
  /// One more than the largest id: the size of a table indexed by NodeId.
  NodeId size() const { return count_; }

 private:
  std::pmr::monotonic_buffer_resource memory_;
  NodeId count_ = 0;
};

}  // namespace sluice::lang::ast
