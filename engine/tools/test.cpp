#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/error.hpp"
#include "base/pattern.hpp"
#include "report/diagnostics.hpp"
#include "report/error_text.hpp"
#include "tools/files.hpp"
#include "tools/kueue_flags.hpp"
#include "tools/policy.hpp"
#include "tools/test_run.hpp"
#include "tools/verb.hpp"

namespace sluice::tools {
namespace {

namespace ast = lang::ast;

constexpr std::array flags = {
    Flag{.name = "run", .letter = 'r', .value = "REGEX", .help = "only the tests whose title matches"},
    Flag{.name = "verbose", .letter = 'v', .help = "also list the tests that pass"},
    Flag{.name = "param",
         .value = "NAME=VALUE",
         .help = "a value for a param of the policies",
         .repeated = true},
    kueue_flag,
    kueue_config_flag,
    feature_gates_flag,
};

/// Runs the tests of policy after policy and counts.
class Tests {
 public:
  Tests(Context& context, const Args& args)
      : context_(context), args_(args), kueue_(kueue_of(context, args)) {
    if (!args.has("run")) return;
    std::variant<Pattern, PatternProblem> only = Pattern::compile(args.value("run"));
    if (const auto* problem = std::get_if<PatternProblem>(&only)) {
      throw Error("usage", fmt::format("`--run` cannot be `{}`: {}", args.value("run"), problem->message));
    }
    only_.emplace(std::get<Pattern>(std::move(only)));
  }

  void run_file(const lang::Source& source) {
    lang::Policy policy = lang::load({source}, load_options(params()));
    if (policy.has_errors()) {
      context_.out(report::to_pretty(policy.sources, policy.diagnostics.all(), colour()));
      has_policy_errors_ = true;
      return;
    }
    broken_.clear();
    ran_ = 0;
    for (const ast::Declaration& declaration : policy.files.front()->declarations) {
      const auto* test = ast::as<ast::Test>(declaration);
      if (test != nullptr) run_declared(policy, source, declaration, *test);
    }
    tell_invariants(policy);
  }

  int end() {
    std::string counts = fmt::format("{} passed, {} failed", passed_, failed_);
    if (not_decided_ > 0) counts += fmt::format(", {} not decided", not_decided_);
    if (has_policy_errors_) {
      context_.out("\n" + counts + "\n");
      return exit_policy;
    }
    if (passed_ + failed_ + not_decided_ == 0)
      context_.err(report::to_text(Error("no-tests", "no test was run"), false));
    context_.out(counts + "\n");
    if (failed_ > 0 || passed_ + not_decided_ == 0) return exit_negative;
    return not_decided_ > 0 ? exit_unknown : exit_fine;
  }

 private:
  std::map<std::string, std::string> params() const { return pairs_of(args_, "param"); }
  bool colour() const { return wants_colour(context_, context_.out_is_terminal); }

  void run_declared(const lang::Policy& policy, const lang::Source& source,
                    const ast::Declaration& declaration, const ast::Test& test) {
    std::string title(declaration.name.text);
    if (!test.table) {
      run_row(policy, source, declaration, test, title, TestRow());
      return;
    }
    for (const ast::Table::Row& row : test.table->rows) {
      run_row(policy, source, declaration, test, fmt::format("{}: {}", title, row.name),
              {&*test.table, &row});
    }
  }

  void run_row(const lang::Policy& policy, const lang::Source& source, const ast::Declaration& declaration,
               const ast::Test& test, const std::string& title, const TestRow& row) {
    if (only_ && !only_->is_found_in(title)) return;
    std::map<std::string, std::string> set = set_params(policy, test, row);
    if (set.empty()) {
      play(policy, title, test, row);
      return;
    }
    // A test that sets params is played on a policy compiled with them; its tree has the same places.
    std::map<std::string, std::string> all = params();
    for (const auto& [name, value] : set) all[name] = value;
    lang::Policy other = lang::load({source}, load_options(all));
    if (other.has_errors()) {
      context_.out(report::to_pretty(other.sources, other.diagnostics.all(), colour()));
      has_policy_errors_ = true;
      return;
    }
    std::span<const ast::Declaration> before = policy.files.front()->declarations;
    auto number = static_cast<std::size_t>(&declaration - before.data());
    const auto& same = *ast::as<ast::Test>(other.files.front()->declarations[number]);
    TestRow same_row;
    if (row.table != nullptr) {
      auto row_number = static_cast<std::size_t>(row.row - row.table->rows.data());
      same_row = {&*same.table, &same.table->rows[row_number]};
    }
    play(other, title, same, same_row);
  }

  /// A file that cannot be read, or that the cluster refuses, fails its test and no other.
  void play(const lang::Policy& policy, const std::string& title, const ast::Test& test, const TestRow& row) {
    try {
      tell(policy, title, run_test(policy, test, row, kueue_));
    } catch (const Error& error) {
      ++failed_;
      context_.out(fmt::format("failed       {}: {}\n{}\n", policy.sources.path(policy.files.front()->source),
                               title, report::to_text(error, colour())));
    }
  }

  static std::map<std::string, std::string> set_params(const lang::Policy& policy, const ast::Test& test,
                                                       const TestRow& row) {
    std::map<std::string, std::string> set;
    for (const ast::Step& step : test.steps) {
      const auto* node = std::get_if<ast::SetStep>(&step.node);
      if (node != nullptr) set[std::string(node->param.text)] = set_text(policy, *node, row);
    }
    return set;
  }

  /// As one would write it behind --param: the text itself for strings and columns, else the source.
  static std::string set_text(const lang::Policy& policy, const ast::SetStep& step, const TestRow& row) {
    const auto* name = ast::as<ast::NameRef>(step.value);
    const ast::Table::Cell* cell = name == nullptr ? nullptr : row.cell(name->text);
    ast::ExprPtr value = cell == nullptr ? step.value : cell->value;
    if (const auto* list = ast::as<ast::List>(value)) {
      std::vector<std::string> items;
      for (ast::ExprPtr item : list->items) items.push_back(plain_text(policy, item));
      return fmt::format("{}", fmt::join(items, ","));
    }
    return plain_text(policy, value);
  }

  static std::string plain_text(const lang::Policy& policy, ast::ExprPtr value) {
    const auto* literal = ast::as<ast::Literal>(value);
    return std::string(literal == nullptr ? policy.sources.text(value->span) : literal->text);
  }

  /// An invariant passes when it held after every step of every test of its file.
  void tell_invariants(const lang::Policy& policy) {
    std::string path(policy.sources.path(policy.files.front()->source));
    for (std::size_t i = 0; i < policy.program.invariants.size(); ++i) {
      const program::Invariant& invariant = policy.program.invariants[i];
      std::string title = fmt::format("invariant {}", invariant.name);
      if (only_ && ran_ == 0 && !only_->is_found_in(title)) continue;
      auto broken = broken_.find(i);
      if (broken != broken_.end()) {
        ++failed_;
        context_.out(fmt::format("failed       {}: {}\n", path, title));
        Diagnostic diagnostic{
            Severity::error, "invariant-broken", invariant.span, broken->second.message, {}, {}};
        context_.out(report::to_pretty(policy.sources, std::span(&diagnostic, 1), colour()));
        context_.out(indented(broken->second.reason) + "\n");
      } else if (ran_ == 0) {
        context_.out(
            fmt::format("not run      {}: {}\n             no test of this file makes a state to look at\n",
                        path, title));
      } else {
        ++passed_;
        if (args_.has("verbose")) context_.out(fmt::format("passed       {}: {}\n", path, title));
      }
    }
  }

  void tell(const lang::Policy& policy, const std::string& title, const TestResult& result) {
    std::string path(policy.sources.path(policy.files.front()->source));
    for (const TestResult::BrokenInvariant& broken : result.invariants) {
      broken_.emplace(broken.number,
                      TestResult::BrokenInvariant{broken.number, broken.message,
                                                  fmt::format("in \"{}\", {}", title, broken.reason)});
    }
    if (result.end != TestResult::End::not_decided) ++ran_;
    switch (result.end) {
      case TestResult::End::passed:
        ++passed_;
        if (args_.has("verbose")) context_.out(fmt::format("passed       {}: {}\n", path, title));
        return;
      case TestResult::End::not_decided:
        ++not_decided_;
        context_.out(fmt::format("not decided  {}: {}\n             {}\n", path, title, result.not_decided));
        return;
      case TestResult::End::failed:
        break;
    }
    ++failed_;
    context_.out(fmt::format("failed       {}: {}\n", path, title));
    for (std::size_t i = 0; i < result.failures.size(); ++i) {
      context_.out(report::to_pretty(policy.sources, std::span(&result.failures[i], 1), colour()));
      context_.out(indented(result.reasons[i]) + "\n");
    }
  }

  static std::string indented(const std::string& text) {
    std::string out = "    ";
    for (std::size_t i = 0; i < text.size(); ++i) {
      out += text[i];
      if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') out += "    ";
    }
    return out;
  }

  Context& context_;
  const Args& args_;
  Configuration kueue_;
  std::optional<Pattern> only_;
  std::map<std::size_t, TestResult::BrokenInvariant> broken_;  ///< of the file at hand, by number
  std::size_t ran_ = 0;                                        ///< tests of the file at hand
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t not_decided_ = 0;
  bool has_policy_errors_ = false;
};

int run(Context& context, const Args& args) {
  std::vector<std::string> paths = args.words();
  if (paths.empty()) paths.push_back(".");
  Tests tests(context, args);
  for (const lang::Source& source : read_policies(context, paths)) tests.run_file(source);
  return tests.end();
}

}  // namespace

constinit const Verb test_verb{
    .name = "test",
    .usage = "[-r REGEX] [-v] [--param NAME=VALUE]… [PATH…]",
    .summary = "runs the tests that stand in policies",
    .details =
        "A PATH is a policy or a folder of them; without one, the current folder. Every file is a policy of "
        "its own;\n"
        "files that a test names are looked up beside it. Exits with 2 if a test failed or none ran, with 4 "
        "if all\n"
        "that were decided passed and some need what this version does not decide.\n",
    .flags = flags,
    .run = run,
};

}  // namespace sluice::tools
