#!/usr/bin/env python3
"""Makes the table of property strings that were seen in recorded exchanges, in requests as in answers.

    make_property_strings.py FOLDER-OF-ANSWERS OUTPUT.tsv

One a line: kind of guest, key, value. Texts of errors are left out.
"""
import json
import pathlib
import re
import sys
import urllib.parse

KEY = re.compile(r"(?:net|scsi|virtio|ide|sata|mp|unused|ipconfig|efidisk|tpmstate|usb|hostpci|serial|dev|numa)\d+"
                 r"|rootfs|boot|cpu|agent|features|startup|smbios1|meta|vga|memory|machine|tags|watchdog")


def pairs(value):
    if isinstance(value, dict):
        if KEY.fullmatch(str(value.get("key", ""))):
            yield from ((value["key"], value[side]) for side in ("value", "pending") if side in value)
        for key, inner in value.items():
            if KEY.fullmatch(key):
                yield key, inner
            elif key != "errors":
                yield from pairs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pairs(inner)


def main(folder, output):
    seen = set()
    for path in sorted(pathlib.Path(folder).glob("[0-9]*.json")):
        exchange = json.loads(path.read_text())
        request = exchange.get("request", {})
        kind = "lxc" if "/lxc" in request.get("path", "") else "qemu"
        found = list(pairs(exchange.get("response", {}).get("json")))
        found += [pair for pair in urllib.parse.parse_qsl(str(request.get("body") or "")) if KEY.fullmatch(pair[0])]
        seen.update((kind, key, value) for key, value in found if isinstance(value, str) and value)
    pathlib.Path(output).write_text("".join("\t".join(row) + "\n" for row in sorted(seen)))


if __name__ == "__main__":
    main(*sys.argv[1:3])
