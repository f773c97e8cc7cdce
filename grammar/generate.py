#!/usr/bin/env python3
"""Runs ANTLR's generator and makes the tables of its lexer and parser lazy.

Version 4.7.2 unpacks them in static constructors, which costs every start of the program 4 ms; what parses nothing shall
not pay for that. Here the constructors of the lexer and of the parser unpack them, once.
"""
import subprocess
import sys
from pathlib import Path


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path.name}: `{old}` stands {text.count(old)} times, expected once")
    path.write_text(text.replace(old, new))


def main() -> None:
    antlr, folder, *grammars = sys.argv[1:]
    subprocess.run(
        [antlr, "-Dlanguage=Cpp", "-package", "sluice::grammar", "-no-visitor", "-no-listener",
         "-Xexact-output-dir", "-o", folder, *grammars],
        check=True,
    )
    for grammar in grammars:
        name = Path(grammar).stem
        header = Path(folder) / f"{name}.h"
        source = Path(folder) / f"{name}.cpp"
        replace_once(header, "static Initializer _init;", "static void prepare();")
        replace_once(source, f"{name}::Initializer {name}::_init;",
                     f"void {name}::prepare() {{ static Initializer once; }}")
        base = "Lexer" if name.endswith("Lexer") else "Parser"
        replace_once(source, f": {base}(input) {{", f": {base}(input) {{\n  prepare();")


main()
