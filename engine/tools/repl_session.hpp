#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/question.hpp"

namespace sluice::tools {

/// What was typed in a REPL, as a list that can be undone: definitions, submissions, instants, params. The
/// state is always the list played from the beginning.
class ReplSession {
 public:
  /// `policies` are the sources of -p; `base` the cluster with its jobs, and the instant to begin at.
  ReplSession(const Context& context, std::vector<lang::Source> policies, Question base);

  /// One thing that was typed. Each returns what to print. Throws Error; then nothing has changed.
  std::string define(std::string text);
  std::string submit(const std::string& path, const std::map<std::string, std::string>& values);
  std::string go_to(const std::string& instant);
  std::string set(const std::string& name, const std::string& value);
  std::string undo();

  /// The value of an expression with its type, or only the type.
  std::string evaluate(const std::string& text);
  std::string type_of(const std::string& text);
  std::string why(const std::string& name);

  /// Whether more lines may complete the text.
  bool is_incomplete(const std::string& text) const;
  /// Whether the text is a definition; else it is an expression.
  bool is_definition(const std::string& text) const;
  /// Everything that has a name here, for completion.
  std::vector<std::string> names() const;

 private:
  struct Action {
    enum class Kind : std::uint8_t { define, submit, go_to, set };
    Kind kind;
    std::string text;  ///< what was typed: the definition, the path, the instant, the param
    std::map<std::string, std::string> values;
  };
  /// The list played from the beginning.
  struct State {
    lang::Policy policy;
    std::unique_ptr<Decider> decider;
    std::vector<decide::WorkloadName> jobs;  ///< submitted here, in order
  };
  std::unique_ptr<State> play(const std::vector<Action>& actions, Decider::Explained explained) const;
  Decider::Explained explained_from_start() const;
  void play_action(State& state, const Action& action) const;
  void submit_to(State& state, const Action& action) const;
  std::string add(Action action);
  std::string changes(const State& before, const State& after) const;
  struct Checked;
  Checked check(const std::string& text);

  const Context& context_;
  std::vector<lang::Source> policies_;
  Question base_;
  std::vector<Action> actions_;
  std::unique_ptr<State> state_;
  std::optional<decide::WorkloadName> current_;  ///< in scope of expressions: the last that was spoken of
};

}  // namespace sluice::tools
