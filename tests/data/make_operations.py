#!/usr/bin/env python3
"""Makes operations.tsv (id, effect, wave) from the catalogue to reach.

usage: make_operations.py CATALOGUE.json > operations.tsv"""
import json
import sys

for operation in sorted(json.load(open(sys.argv[1])), key=lambda o: o["id"]):
    print(operation["id"], operation["effect"], operation["wave"], sep="\t")
