#!/usr/bin/env python3
"""Fills a template: every {{name}} becomes the text of the file given as name=file.

    python3 benches/accuracy/fill.py template.md name=file … > filled.md

A name without a file, and a file that no name asks for, are errors: a document with a hole or a figure lost is none.
"""
import re
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    texts = {}
    for argument in sys.argv[2:]:
        name, path = argument.split("=", 1)
        with open(path, encoding="utf-8") as file:
            texts[name] = file.read().strip()
    with open(sys.argv[1], encoding="utf-8") as file:
        template = file.read()
    asked = set(re.findall(r"\{\{(\w+)\}\}", template))
    if asked != set(texts):
        sys.exit(f"without a file: {sorted(asked - set(texts))}; not asked for: {sorted(set(texts) - asked)}")
    sys.stdout.write(re.sub(r"\{\{(\w+)\}\}", lambda match: texts[match[1]], template))


if __name__ == "__main__":
    main()
