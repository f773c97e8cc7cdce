// The Sluice language. Syntax only: no actions, no predicates.
//
// Where the grammar says `name` for one of a few fixed words (a strategy, an effect, a decision point), the tree
// builder looks the word up: it can say which words there are. Decisions need one token of lookahead nearly
// everywhere; that keeps the parser fast and its errors in the right place.
parser grammar SluiceParser;

options {
  tokenVocab = SluiceLexer;
}

file: editionClause? declaration* EOF;
// What is typed in the REPL.
fragmentDeclarations: editionClause? declaration+ EOF;
fragmentExpression: expr EOF;

editionClause: EDITION NUMBER;

declaration:
    importDecl
  | paramDecl
  | functionDecl
  | flavorDecl
  | provisionDecl
  | checkDecl
  | topologyDecl
  | cohortDecl
  | queueDecl
  | localQueueDecl
  | priorityClassDecl
  | classDecl
  | fallbackDecl
  | ruleDecl
  | hitPolicyDecl
  | capacityDecl
  | testDecl
  | invariantDecl;

// Names, params, functions.

importDecl: IMPORT name (LBRACE importItem (COMMA importItem)* COMMA? RBRACE)?;
importItem: name (AS name)?;

paramDecl: PARAM name COLON typeRef (EQUAL expr)?;
typeRef: LBRACK name RBRACK | name QUESTION?;

functionDecl: FN name LPAREN (parameter (COMMA parameter)* COMMA?)? RPAREN ARROW typeRef EQUAL expr;
parameter: name COLON typeRef;

// Objects of Kueue.

flavorDecl: FLAVOR name LBRACE flavorClause* RBRACE;
flavorClause:
    NODES keyValue (COMMA keyValue)*
  | TAINT name (EQUAL arith)? COLON name
  | TOLERATE (ALL | name (compare arith)?) (COLON name)? (FOR arith)?
  | TOPOLOGY name
  | CHECK name (COMMA name)*;
keyValue: name EQUAL arith;

provisionDecl: PROVISION name LBRACE provisionClause* RBRACE;
provisionClause:
    CLASS name
  | CONFIG name
  | MANAGE name (COMMA name)*
  | PARAMETER keyValue
  | RETRY arith TIMES (BACKOFF arith)? (UP_TO arith)?
  | SELECT name FROM name
  | MERGE name;

checkDecl: CHECK name LBRACE checkDeclClause* RBRACE;
checkDeclClause: CONTROLLER name | PARAMETERS name name;

topologyDecl: TOPOLOGY name LBRACE topologyLevel* RBRACE;
topologyLevel: LEVEL name EQUAL name;

cohortDecl: COHORT name LBRACE cohortClause* RBRACE;
cohortClause: PARENT name | WEIGHT arith | QUOTA flavorQuotas | groupClause;

queueDecl: QUEUE name LBRACE queueClause* RBRACE;
queueClause:
    COHORT name
  | STRATEGY name
  | acceptClause
  | groupClause
  | PREEMPT preemptItem (COMMA preemptItem)*
  | FUNGIBLE fungibleItem (COMMA fungibleItem)*
  | WEIGHT arith
  | STOP name
  | CHECK name (ON name (COMMA name)*)?
  | ADMISSION name (COMMA name)*;
acceptClause: ACCEPT (ALL NAMESPACES | NO NAMESPACES | NAMESPACES WHERE expr);
preemptItem: WITHIN_QUEUE name | WITHIN_COHORT name | WHILE_BORROWING (threshold | name threshold?);
threshold: (BELOW | UP_TO) arith;
fungibleItem: CAN_BORROW name | CAN_PREEMPT name | PREFER name;
groupClause: GROUP name (COMMA name)* LBRACE (FLAVOR flavorQuotas)* RBRACE;
flavorQuotas: name (UNLIMITED | LBRACE (resourceQuota (COMMA resourceQuota)* COMMA?)? RBRACE);
resourceQuota: name (UNLIMITED | arith) (BORROW arith)? (LEND arith)?;

localQueueDecl: LOCAL_QUEUE name ARROW name (LBRACE localQueueClause* RBRACE)?;
localQueueClause: STOP name | WEIGHT arith;

priorityClassDecl: PRIORITY_CLASS name EQUAL arith STRING?;

// ComputeClass.

classDecl: CLASS name LBRACE classClause* RBRACE;
classClause:
    SCORE arith LBRACE machineClause* RBRACE
  | MACHINE LBRACE machineClause* RBRACE
  | machineHead machineModifier*
  | UNSATISFIABLE name
  | MIGRATE name
  | CONSOLIDATE (AFTER arith)? (BELOW arith)?;
machineClause: machineHead | machineModifier;
// Each begins a new machine rule when it stands outside of braces.
machineHead:
    MACHINE_TYPE name
  | FAMILY name
  | NODE_POOLS name (COMMA name)*
  | POD_FAMILY name;
machineModifier:
    MIN_CORES arith
  | MIN_MEMORY arith
  | ZONES name (COMMA name)*
  | GPU name arith?
  | TPU name arith?
  | ON_DEMAND
  | SPOT
  | RESERVATION (ANY | NONE | SPECIFIC name (COMMA name)*)
  | FLEX_START settings?
  | MAX_RUN arith
  | WAIT arith
  | PLACEMENT name;
settings: LBRACE (setting (COMMA? setting)* COMMA?)? RBRACE;
setting: name arith;

// Rules.

ruleDecl: RULE name ON name LBRACE let* whenClause? thenClause becauseClause? onError? RBRACE;
let: LET name EQUAL expr;
whenClause: WHEN expr;
thenClause: THEN verdict (COMMA verdict)*;
becauseClause: BECAUSE STRING;
onError: ON ERROR (HOLD | SKIP_ | DENY);

verdict: (AFTER arith)? verdictBody;
verdictBody:
    DENY                                       # denyVerdict
  | WARN                                       # warnVerdict
  | DEFAULT (LABEL | ANNOTATION) name EQUAL arith  # defaultKeyVerdict
  | DEFAULT TOPOLOGY (REQUIRE | PREFER) name   # defaultTopologyVerdict
  | DEFAULT name arith                         # defaultVerdict
  | SCORE expr                                 # scoreVerdict
  | SKIP_                                      # skipVerdict
  | PREFER name OVER name                      # preferFlavorVerdict
  | HOLD (UNTIL expr)?                         # holdVerdict
  | REQUIRE CHECK name                         # requireCheckVerdict
  | PROTECT                                    # protectVerdict
  | COST expr                                  # costVerdict
  | USE name settings?                         # useVerdict
  | REQUIRE name                               # requireVerdict
  | PREFER name                                # preferVerdict
  | SPREAD name                                # spreadVerdict
  | SLICE name OF arith                        # sliceVerdict;

hitPolicyDecl: ON name COLLECT SUM;

fallbackDecl: FALLBACK FOR QUEUE name LBRACE rung* (OTHERWISE HOLD STRING)? RBRACE;
rung: (AFTER arith)? TRY name rungGuard* becauseClause?;
rungGuard: WHEN expr | UNLESS expr;

// Capacity, tests, invariants.

capacityDecl: capacityBlock;
capacityBlock: CAPACITY LBRACE (capacityEntry (COMMA capacityEntry)* COMMA?)? RBRACE;
capacityEntry: name (IN name)? name? COLON name (SINCE arith)?;

testDecl: TEST STRING LBRACE (step | table)* RBRACE;
step: (AT PLUS? arith)? action;
action:
    CLUSTER STRING                                                           # clusterAction
  | capacityBlock                                                            # capacityAction
  | SET name EQUAL expr                                                      # setAction
  | SUBMIT STRING (WITH keyValue (COMMA keyValue)*)? (AS name)?              # submitFileAction
  | SUBMIT WORKLOAD LBRACE (workloadField (COMMA? workloadField)* COMMA?)? RBRACE (AS name)?  # submitWorkloadAction
  | FINISH name                                                              # finishAction
  | DELETE name                                                              # deleteAction
  | ANSWER name FOR name name                                                # answerAction
  | EXPECT name outcome                                                      # expectAction;
workloadField:
    (LABEL | ANNOTATION) keyValue
  | PODSET name LBRACE (podSetItem (COMMA? podSetItem)* COMMA?)? RBRACE
  | name arith;
podSetItem: name arith;
outcome: name details? outcomePart*;
outcomePart: FOR name | BECAUSE (STRING | name) | UNTIL arith;
details: LBRACE (detail (COMMA detail)* COMMA?)? RBRACE;
detail: name (COLON arith | arith);

table: FOR name (BAR name)* tableRow*;
tableRow: STRING (BAR cell)*;
cell: arith details?;

invariantDecl: INVARIANT STRING LBRACE invariantClause* RBRACE;
invariantClause: (NEVER | ALWAYS) FOR name IN arith (WHERE expr)? COLON expr;

// Expressions, loosest first; `x or default` is an `or`.

expr: conditional | disjunction;
conditional: IF expr THEN expr ELSE expr;
disjunction: conjunction (OR conjunction)*;
conjunction: negation (AND negation)*;
negation: NOT negation | comparison;
comparison: arith ((compare | IN | MATCHES) arith)?;
compare: EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL;
arith: term ((PLUS | MINUS) term)*;
term: prefix ((STAR | SLASH) prefix)*;
prefix: (MINUS | HAS) prefix | range;
range: postfix (DOTDOT postfix)?;
postfix: primary (LBRACK expr RBRACK | DOT word arguments? | arguments)*;
arguments: LPAREN (expr (OF name IN arith (WHERE expr)? | WHERE expr | (COMMA expr)+ COMMA?)?)? RPAREN;
primary:
    NUMBER
  | CLOCK
  | STRING
  | TRUE
  | FALSE
  | NONE
  | word
  | LPAREN expr RPAREN
  | LBRACK (expr (COMMA expr)* COMMA?)? RBRACK;

// Names.

name: WORD | STRING | softWord;
word: WORD | softWord;
softWord:
    ACCEPT | ADMISSION | AFTER | ALL | ALWAYS | ANNOTATION | ANSWER | ANY | AS | AT | BACKOFF | BELOW | BORROW
  | CAN_BORROW | CAN_PREEMPT | CAPACITY | CHECK | CLASS | CLUSTER | COHORT | COLLECT | CONFIG | CONSOLIDATE
  | CONTROLLER | COST | COUNT | DEFAULT | DELETE | DENY | EDITION | ERROR | EXPECT | FALLBACK | FAMILY | FINISH
  | FLAVOR | FLEX_START | FN | FOR | FROM | FUNGIBLE | GPU | GROUP | HOLD | IMPORT | INVARIANT | LABEL | LEND | LET
  | LEVEL | LOCAL_QUEUE | MACHINE | MACHINE_TYPE | MANAGE | MAX_RUN | MERGE | MIGRATE | MIN_CORES | MIN_MEMORY
  | NAMESPACES | NEVER | NO | NODES | NODE_POOLS | OF | ON | ON_DEMAND | OTHERWISE | OVER | PARAM | PARAMETER
  | PARAMETERS | PARENT | PLACEMENT | PODSET | POD_FAMILY | PREEMPT | PREFER | PRIORITY_CLASS | PROTECT | PROVISION
  | QUEUE | QUOTA | REQUIRE | RESERVATION | RETRY | RULE | SCORE | SELECT | SET | SINCE | SKIP_ | SLICE | SPECIFIC
  | SPOT | SPREAD | STOP | STRATEGY | SUBMIT | SUM | TAINT | TEST | TIMES | TOLERATE | TOPOLOGY | TPU | TRY
  | UNLIMITED | UNSATISFIABLE | UNTIL | UP_TO | USE | WAIT | WARN | WEIGHT | WHILE_BORROWING | WITH | WITHIN_COHORT
  | WITHIN_QUEUE | WORKLOAD | ZONES;
