// Words, numbers and signs of the Sluice language. Syntax only: no actions, no predicates.
//
// A name may hold dashes, dots and slashes (`on-demand`, `workload.priority-class`, `google.com/tpu`), so a
// dotted path is one token; the tree builder takes it apart. Comments stay in the stream, hidden.
lexer grammar SluiceLexer;

// Words that are never a name without quotes.
AND: 'and';
BECAUSE: 'because';
ELSE: 'else';
FALSE: 'false';
HAS: 'has';
IF: 'if';
IN: 'in';
MATCHES: 'matches';
NONE: 'none';
NOT: 'not';
OR: 'or';
THEN: 'then';
TRUE: 'true';
UNLESS: 'unless';
WHEN: 'when';
WHERE: 'where';

// Words that are names wherever they do not start what the grammar expects: see `softWord` in the parser.
ACCEPT: 'accept';
ADMISSION: 'admission';
AFTER: 'after';
ALL: 'all';
ALWAYS: 'always';
ANNOTATION: 'annotation';
ANSWER: 'answer';
ANY: 'any';
AS: 'as';
AT: 'at';
BACKOFF: 'backoff';
BELOW: 'below';
BORROW: 'borrow';
CAN_BORROW: 'can-borrow';
CAN_PREEMPT: 'can-preempt';
CAPACITY: 'capacity';
CHECK: 'check';
CLASS: 'class';
CLUSTER: 'cluster';
COHORT: 'cohort';
COLLECT: 'collect';
CONFIG: 'config';
CONSOLIDATE: 'consolidate';
CONTROLLER: 'controller';
COST: 'cost';
COUNT: 'count';
DEFAULT: 'default';
DELETE: 'delete';
DENY: 'deny';
EDITION: 'edition';
ERROR: 'error';
EXPECT: 'expect';
FALLBACK: 'fallback';
FAMILY: 'family';
FINISH: 'finish';
FLAVOR: 'flavor';
FLEX_START: 'flex-start';
FN: 'fn';
FOR: 'for';
FROM: 'from';
FUNGIBLE: 'fungible';
GPU: 'gpu';
GROUP: 'group';
HOLD: 'hold';
IMPORT: 'import';
INVARIANT: 'invariant';
LABEL: 'label';
LEND: 'lend';
LET: 'let';
LEVEL: 'level';
LOCAL_QUEUE: 'local-queue';
MACHINE: 'machine';
MACHINE_TYPE: 'machine-type';
MANAGE: 'manage';
MAX_RUN: 'max-run';
MERGE: 'merge';
MIGRATE: 'migrate';
MIN_CORES: 'min-cores';
MIN_MEMORY: 'min-memory';
NAMESPACES: 'namespaces';
NEVER: 'never';
NO: 'no';
NODES: 'nodes';
NODE_POOLS: 'node-pools';
OF: 'of';
ON: 'on';
ON_DEMAND: 'on-demand';
OTHERWISE: 'otherwise';
OVER: 'over';
PARAM: 'param';
PARAMETER: 'parameter';
PARAMETERS: 'parameters';
PARENT: 'parent';
PLACEMENT: 'placement';
PODSET: 'podset';
POD_FAMILY: 'pod-family';
PREEMPT: 'preempt';
PREFER: 'prefer';
PRIORITY_CLASS: 'priority-class';
PROTECT: 'protect';
PROVISION: 'provision';
QUEUE: 'queue';
QUOTA: 'quota';
REQUIRE: 'require';
RESERVATION: 'reservation';
RETRY: 'retry';
RULE: 'rule';
SCORE: 'score';
SELECT: 'select';
SET: 'set';
SINCE: 'since';
SKIP_: 'skip';
SLICE: 'slice';
SPECIFIC: 'specific';
SPOT: 'spot';
SPREAD: 'spread';
STOP: 'stop';
STRATEGY: 'strategy';
SUBMIT: 'submit';
SUM: 'sum';
TAINT: 'taint';
TEST: 'test';
TIMES: 'times';
TOLERATE: 'tolerate';
TOPOLOGY: 'topology';
TPU: 'tpu';
TRY: 'try';
UNLIMITED: 'unlimited';
UNSATISFIABLE: 'unsatisfiable';
UNTIL: 'until';
UP_TO: 'up-to';
USE: 'use';
WAIT: 'wait';
WARN: 'warn';
WEIGHT: 'weight';
WHILE_BORROWING: 'while-borrowing';
WITH: 'with';
WITHIN_COHORT: 'within-cohort';
WITHIN_QUEUE: 'within-queue';
WORKLOAD: 'workload';
ZONES: 'zones';

// A part of a name cannot end in a dash: `queue->x` is a name and an arrow. After a dot or slash it may start
// with a digit.
WORD: [A-Za-z_] WORD_CHAR* ('-'+ WORD_CHAR+)* ([./] WORD_CHAR+ ('-'+ WORD_CHAR+)*)*;

// The unit belongs to the number; whether there is such a unit is asked later, to say it better.
NUMBER: DIGIT+ ('.' DIGIT+)? ([A-Za-z] [A-Za-z0-9]* | '%')?;
CLOCK: DIGIT DIGIT ':' DIGIT DIGIT (':' DIGIT DIGIT)?;

// The second form stands inside the holes of a text: "{labels[\"team\"]}".
STRING: '"' STRING_CHAR* '"' | '\\"' ~["\\\r\n]* '\\"';
UNTERMINATED_STRING: '"' STRING_CHAR* '\\'?;

ARROW: '->';
BAR: '|';
COLON: ':';
COMMA: ',';
DOT: '.';
DOTDOT: '..';
EQUAL: '=';
GREATER: '>';
GREATER_EQUAL: '>=';
LESS: '<';
LESS_EQUAL: '<=';
LBRACE: '{';
LBRACK: '[';
LPAREN: '(';
MINUS: '-';
NOT_EQUAL: '!=';
PLUS: '+';
QUESTION: '?';
RBRACE: '}';
RBRACK: ']';
RPAREN: ')';
SLASH: '/';
STAR: '*';

DOC_COMMENT: '///' ~[\r\n]* -> channel(HIDDEN);
LINE_COMMENT: '//' ~[\r\n]* -> channel(HIDDEN);
BLOCK_COMMENT: '/*' COMMENT_BODY '*'+ '/' -> channel(HIDDEN);
UNTERMINATED_COMMENT: '/*' COMMENT_BODY '*'*;
SPACE: [ \t\r\n]+ -> skip;
// Anything else: reported with what it may have been meant to be (`==`, `&&`, `'`).
UNKNOWN: '==' | '&&' | '||' | '=>' | '<>' | '\\' | .;

fragment DIGIT: [0-9];
fragment WORD_CHAR: [A-Za-z0-9_];
fragment STRING_CHAR: '\\' ~[\r\n] | ~["\\\r\n];
// Never crosses `*/`.
fragment COMMENT_BODY: (~'*' | '*'+ ~[*/])*;
