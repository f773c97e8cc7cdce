"""Writes the policies of the standard library as C++: embed.py OUT.cpp ROOT FILE..."""

import json
import os
import sys


def literal(text):
    # JSON escapes are C++ escapes for ASCII; \u00e9 is valid in both.
    return "\n".join(json.dumps(line) for line in text.splitlines(keepends=True)) or '""'


def main():
    out, root, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows = []
    for path in sorted(files):
        module = os.path.splitext(os.path.relpath(path, root))[0].replace(os.sep, ".")
        with open(path, encoding="utf-8") as file:
            rows.append("    {%s,\n%s}," % (json.dumps(module), literal(file.read())))
    with open(out, "w", encoding="utf-8") as file:
        file.write('#include "lang/stdlib.hpp"\n\n#include <array>\n\nnamespace sluice::lang {\nnamespace {\n\n')
        file.write("constexpr std::array<StdlibModule, %d> modules = {{\n" % len(rows))
        file.write("\n".join(rows))
        file.write("\n}};\n\n}  // namespace\n\n")
        file.write("std::span<const StdlibModule> stdlib_modules() { return modules; }\n\n}  // namespace sluice::lang\n")


main()
