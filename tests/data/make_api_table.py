#!/usr/bin/env python3
"""Makes the compact tables of the Proxmox VE API that the simulator and the contract tests check requests against.

    make_api_table.py SCHEMA-9.json SCHEMA-8.json OUTPUT-FOLDER

writes OUTPUT-FOLDER/api-9.tsv and api-8.tsv. Facts only: names, types, bounds, patterns, permissions; no descriptions.

Lines are tab-separated; an empty field means "not given"; the first field says what the line is:

  V  version of the documentation the table was made from
  N  name            highest index of a numbered parameter: "net 31" means net0 … net31
  K  id              shape of a value: one line for all parameters that are alike
     type            string, integer, number, boolean, array
     flags           o = optional, d = the key of a property string that may stand without its name
     minimum maximum minLength maxLength
     enum            JSON list
     pattern         Perl regular expression, anchored at both ends
     format          name of a format, or @ID of an F line
     requires        another parameter that must be given too
     alias keyAlias  of property strings: the key stands for `alias`; its own name becomes the value of `keyAlias`
     items           id of the shape of an array's items
  F  id key=K-id …   keys of a property string
  E  METHOD path     an endpoint
     flags           p = runs in the privileged daemon, t = usable with an API token, x = further parameters allowed
     proxyto         parameter that names the node which answers
     permissions     JSON: "all", "world", a check expression, or empty for root@pam only
     name=K-id …     its parameters; name[n] is numbered
"""
import json
import pathlib
import re
import sys

NUMBERED = {"net": 31, "scsi": 30, "virtio": 15, "sata": 5, "ide": 3, "hostpci": 15, "usb": 13, "serial": 3, "parallel": 2,
            "unused": 255, "mp": 255, "ipconfig": 31, "numa": 7, "dev": 255, "virtiofs": 9, "link": 7, "acmedomain": 5}


class Table:
    def __init__(self):
        self.shapes, self.formats, self.lines = {}, {}, []

    def shape(self, schema):
        fmt = schema.get("format", "")
        if isinstance(fmt, dict):
            fmt = "@" + self.format(fmt)
        kind = schema.get("type", "")
        flags = ("o" if schema.get("optional") else "") + ("d" if schema.get("default_key") else "")
        fields = [
            kind if isinstance(kind, str) else "string", flags,
            number(schema.get("minimum")), number(schema.get("maximum")),
            number(schema.get("minLength")), number(schema.get("maxLength")),
            json.dumps(schema["enum"], separators=(",", ":")) if isinstance(schema.get("enum"), list) else "",
            schema.get("pattern") or "", fmt, schema.get("requires") or "", schema.get("alias", ""), schema.get("keyAlias", ""),
            self.shape(schema["items"]) if isinstance(schema.get("items"), dict) and schema["items"] else "",
        ]
        return self.intern(self.shapes, "K", "\t".join(fields))

    def format(self, keys):
        return self.intern(self.formats, "F", "\t".join(f"{key}={self.shape(value)}" for key, value in sorted(keys.items())))

    def intern(self, known, letter, text):
        if text not in known:
            known[text] = str(len(known))
            self.lines.append(f"{letter}\t{known[text]}\t{text}".rstrip("\t"))
        return known[text]


def number(value):
    return "" if value is None else str(value)


def permissions(schema):
    if "permissions" not in schema:
        return ""
    given = schema["permissions"]
    # PVE looks at the user first: who is let in by that is not checked.
    if "check" in given and given.get("user") not in ("all", "world"):
        return json.dumps(given["check"], separators=(",", ":"))
    return json.dumps(given.get("user", "described"))


def endpoint(table, key, schema):
    method, path = key.split(" ", 1)
    flags = ("p" if schema.get("protected") else "") + ("t" if schema.get("allowtoken", 1) else "") \
        + ("x" if schema.get("additionalProperties") not in (0, False) else "")
    given = [f"{name}={table.shape(value)}" for name, value in sorted(schema.get("parameters", {}).items())]
    return "\t".join(["E", method, path, flags, schema.get("proxyto") or "", permissions(schema)] + given)


def make(source, target):
    dump = json.loads(source.read_text(encoding="utf-8"))
    table = Table()
    endpoints = [endpoint(table, key, schema) for key, schema in sorted(dump["endpoints"].items())]
    names = {m.group(1) for key in dump["endpoints"].values() for name in key.get("parameters", {})
             if (m := re.fullmatch(r"(.+)\[n\]", name))}
    unknown = names - NUMBERED.keys()
    if unknown:
        raise SystemExit(f"numbered parameters without a bound: {sorted(unknown)}")
    lines = [f"V\t{dump['meta'].get('series', '')}\t{dump['meta'].get('pve_docs_version', '')}"]
    lines += [f"N\t{name}\t{NUMBERED[name]}" for name in sorted(names)] + table.lines + endpoints
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(endpoints)} endpoints, {len(table.shapes)} shapes, {target.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[3])
    make(pathlib.Path(sys.argv[1]), folder / "api-9.tsv")
    make(pathlib.Path(sys.argv[2]), folder / "api-8.tsv")
