#!/usr/bin/env python3
"""Writes recorded-refusals.tsv from a folder of recorded exchanges with a live cluster: python3 make_recorded_refusals.py FOLDER

One line for each distinct refusal: method, status, reason phrase, body as one line of JSON or text.
"""
import glob
import json
import os
import sys

rows = set()
for name in sorted(glob.glob(os.path.join(sys.argv[1], "[0-9]*.json"))):
    with open(name, encoding="utf-8") as file:
        exchange = json.load(file)
    request, response = exchange.get("request"), exchange.get("response")
    if not request or not response or (response.get("status") or 0) < 400:
        continue
    if "/api2/json" not in request.get("path", "") or request["method"] not in ("GET", "POST", "PUT", "DELETE"):
        continue
    body = json.dumps(response["json"], sort_keys=True, ensure_ascii=False) if "json" in response else response.get("body") or ""
    cells = [request["method"], str(response["status"]), response["reason"], body]
    rows.add("\t".join(cell.replace("\t", " ").replace("\n", " ").replace("\r", "") for cell in cells))
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded-refusals.tsv")
with open(here, "w", encoding="utf-8") as out:
    out.write("# method, status, reason, body; made by make_recorded_refusals.py\n")
    out.write("\n".join(sorted(rows)) + "\n")
print(len(rows), "refusals")
