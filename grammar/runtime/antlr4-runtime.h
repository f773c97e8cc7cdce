#pragma once

// Stands in for the runtime's umbrella header of the same name, which clang refuses
// (misc/InterpreterDataReader.h): just what the generated lexer and parser need.
#include "ANTLRInputStream.h"
#include "BailErrorStrategy.h"
#include "BaseErrorListener.h"
#include "CommonTokenStream.h"
#include "FailedPredicateException.h"
#include "InputMismatchException.h"
#include "Lexer.h"
#include "NoViableAltException.h"
#include "Parser.h"
#include "ParserRuleContext.h"
#include "RuntimeMetaData.h"
#include "Vocabulary.h"
#include "atn/ATN.h"
#include "atn/ATNDeserializer.h"
#include "atn/LexerATNSimulator.h"
#include "atn/ParserATNSimulator.h"
#include "atn/PredictionMode.h"
#include "dfa/DFA.h"
#include "tree/TerminalNode.h"
