#!/usr/bin/env python3
"""Makes the table that the simulator's parameter check is held against by generated requests.

    make_request_facts.py SCHEMA-9.json SCHEMA-8.json OUTPUT-FOLDER

writes OUTPUT-FOLDER/request-facts-9.jsonl and request-facts-8.jsonl. It reads the schema by itself and shares nothing with the
reader that the simulator has: here every parameter becomes a list of values that PVE takes and of values that it refuses, and why.

  first line   {"shapes":[{"good":[…],"bad":[[kind,value],…]},…]}
  then         {"call":"METHOD /path/{x}","params":{name:[shape,flags,requires]},"more":1 when further parameters are allowed}

Flags: o = optional, p = in the path, a = a list of values. A number in a name, net[n], stands for 0. Kinds of what is bad: type, minimum, maximum,
length, choice, pattern, format. A shape without good values has a format that nobody wrote down: it is not judged.
"""
import json
import pathlib
import re
import sys

# Values of the named formats, from what PVE documents and answers: (taken, refused).
FORMATS = {
    "pve-node": (["pve1", "localhost"], ["pve_1", "-x"]),
    "pve-node-list": (["pve1", "pve1,pve2"], ["pve_1"]),
    "pve-vmid": (["100", "4711"], ["abc", "99", "0100"]),
    "pve-vmid-list": (["100", "100,101", "100;200"], ["abc", "99,100", "1"]),
    "pve-configid": (["a1", "night-ly_2"], ["1a", "a.b", "-"]),
    "pve-configid-list": (["a1", "net0,memory"], ["1a", "a1,2b"]),
    "pve-storage-id": (["local", "nas-backup", "a.b"], ["1a", "a b", "x_"]),
    "pve-storage-id-list": (["local", "local,nas"], ["1a"]),
    "pve-userid": (["root@pam", "a.b@pve"], ["root", "a b@pam"]),
    "pve-realm": (["pam", "my-realm"], ["1a", "a b"]),
    "pve-poolid": (["media", "a/b"], ["a b", "a/b/c/d"]),
    "pve-groupid": (["admins"], ["a b"]),
    "pve-groupid-list": (["admins", "a,b"], ["a!b"]),
    "pve-roleid": (["PowerOp"], ["a b"]),
    "dns-name": (["web1", "a.example.test"], ["a_b", "-x", "a b"]),
    "dns-name-list": (["a.test b.test"], ["a_b"]),
    "mac-addr": (["BC:24:11:00:00:01", "bc:24:11:aa:bb:cc"], ["BC:24:11", "01:00:00:00:00:00", "xx"]),
    "ip": (["10.0.0.1", "fd00::1"], ["10.0.0", "x"]),
    "ipv4": (["10.0.0.1"], ["fd00::1", "10.0.0.256"]),
    "ipv6": (["fd00::1"], ["10.0.0.1", "x"]),
    "address": (["10.0.0.1", "nas.test", "fd00::1"], ["a b", "a_b"]),
    "address-list": (["1.1.1.1 8.8.8.8", "ns.test"], ["a_b"]),
    "pve-volume-id": (["local:iso/a.iso", "local-zfs:vm-100-disk-0"], ["nothing", "1:x"]),
    "pve-volume-id-or-qm-path": (["none", "cdrom", "/dev/sdb", "local-zfs:8"], ["nothing"]),
    "pve-volume-id-or-absolute-path": (["/tmp/a.raw", "local:import/a.qcow2"], ["nothing"]),
    "urlencoded": (["a%20b", "ssh-ed25519%20AAAA"], ["a b", "<a>"]),
    "disk-size": (["8G", "512M", "1.5T", "4096"], ["lots", "8X", "-1G"]),
    "pve-lxc-mp-string": (["/data", "/mnt/a b"], ["/a/../b", "/a/.."]),
    "pve-startup-order": (["1", "order=1,up=30", "up=5,down=6"], ["order=x", "sometimes=1"]),
    "pve-tag": (["prod"], ["!x"]),
    "pve-tag-list": (["prod", "prod;web", "a,b"], ["!x", "a;-b"]),
    "pve-qm-boot": (["order=scsi0;net0", "cdn", "order=ide2"], ["zzz", "order=9!"]),
    "pve-qm-bootdisk": (["scsi0"], []),
    "pve-bridge-id": (["vmbr0"], ["vm br"]),
    "pve-storage-content": (["iso", "images", "backup"], ["cows"]),
    "pve-storage-content-list": (["iso", "iso,backup", "images,rootdir"], ["cows", "iso,cows"]),
    "pve-ipv4-config": (["dhcp", "manual", "10.0.0.2/24"], ["10.0.0.2", "sometimes"]),
    "pve-ipv6-config": (["auto", "dhcp", "fd00::2/64"], ["fd00::2", "sometimes"]),
    "lxc-ip-with-ll-iface-list": (["1.1.1.1", "fd00::1 1.1.1.1"], ["a_b"]),
    "pve-task-status-type-list": (["ok", "error,warning"], ["fine"]),
    "pve-day-of-week-list": (["mon", "mon,tue"], ["someday"]),
    "pve-calendar-event": (["02:30", "daily", "mon..fri 22:00", "*/15"], ["whenever"]),
    "prune-backups": (["keep-last=3", "keep-all=1", "keep-daily=7,keep-weekly=4"], ["keep-last=x", "keep-it=1"]),
    "CIDR": (["10.0.0.0/8", "fd00::/64"], ["10.0.0.0", "x/8"]),
    "pve-storage-path": (["/srv/x", "/"], ["srv/x"]),
    "pve-storage-server": (["nas.test", "10.0.0.1"], ["a b"]),
    "pve-storage-vgname": (["vg0", "data_1"], ["a b", "-x"]),
    "pve-cpuset": (["0", "0,2-3"], ["x", "3-1"]),
    "pve-hotplug-features": (["disk,network", "0", "1"], ["wings"]),
    "pve-replication-job-id": (["100-0"], []),
    "storage-pair-list": (["local", "local:nas", "1"], ["a b:", "1a:b2"]),
    "email-opt": (["", "a@example.test"], ["nothing"]),
    "pve-ct-timezone": (["host", "Europe/Vienna"], ["Mars/Olympus"]),
    "pve-lxc-dev-string": (["/dev/dri/card0"], ["dri/card0"]),
    "string-list": (["a,b"], []),
    "pve-command-batch": (['[{"method":"GET","path":"version"}]'], []),
}

# Texts to try patterns on.
POOL = ["a", "a1", "abc", "Ab-c_1", "100", "100-0", "+2G", "8G", "0", "1", "02:30", "2026-01-31", "2026-01-31 10:00:00", "scsi0", "scsi12", "socket",
        "/dev/ttyS0", "/dev/sda", "/dev/parport0", "https://example.test/a.iso", "http://example.test/", "root@pam", "root@pam!ci", "0755", "0x0123456789abcdef",
        "1;2-5", "10;20", "discard;noatime", "nfs;cifs", "pc", "q35", "pc-q35-9.2+pve1", "00000000-0000-4000-8000-000000000000", "AB:" * 31 + "AB", "1af4:1042",
        "spice", "1-2.3", "now", "/var/tmp/pveupload-0a1b", "0000:00:02.0", "vmbr0", "/usr/bin/true -x", "TZ=UTC", "local",
        "", " ", "a b", "!", "-", "Ä", "99999", "x=", "ftp://example.test", "/etc/passwd", "lots", "1.5.5", "pve!", "::", "\x01"]


def perl(pattern):
    """The same for Python; nothing when it says something that Python reads otherwise."""
    if "{," in pattern:
        return None
    text = pattern.replace("(?^:", "(?:").replace("(?^i:", "(?i:").replace("\\z", "\\Z")
    try:
        return re.compile(text, re.ASCII), re.compile("^" + text + "$", re.ASCII)
    except re.error:
        return None


def number(value):
    return None if value is None else int(float(value)) if float(value).is_integer() else float(value)


class Facts:
    def __init__(self):
        self.shapes, self.index = [], {}

    def shape(self, schema):
        good, bad = values(schema)
        key = json.dumps([good, bad], ensure_ascii=False)
        if key not in self.index:
            self.index[key] = len(self.shapes)
            self.shapes.append({"good": good, "bad": bad})
        return self.index[key]


def limits(schema):
    return [number(schema.get(key)) for key in ("minimum", "maximum", "minLength", "maxLength")]


def numbers(schema, kind):
    low, high, _, _ = limits(schema)
    start = low if low is not None else 0 if high is None else high - 10
    good = {start, start + 1, (start + high) // 2 if high is not None else start + 1000}
    good = {value for value in good if high is None or value <= high}
    if high is not None:
        good.add(high)
    bad = [["type", "many"], ["type", ""], ["type", "1x"]]
    if kind == "integer":
        bad.append(["type", "1.5"])
    if low is not None:
        bad.append(["minimum", str(low - 1)])
    if high is not None:
        bad.append(["maximum", str(high + 1)])
    texts = [str(value) for value in sorted(good)]
    if isinstance(schema.get("enum"), list):
        texts = [str(value) for value in schema["enum"]]
    if schema.get("format") == "pve-vmid":
        texts = [text for text in texts if 100 <= int(text) <= 999999999]
    return texts, bad


def strings(schema):
    _, _, shortest, longest = limits(schema)
    good, bad = ["abc", "some text"], []
    fmt, pattern, enum = schema.get("format"), schema.get("pattern"), schema.get("enum")
    if isinstance(enum, list):
        good = [str(value) for value in enum]
        bad.append(["choice", "labhelm-never"])
    if fmt:
        if fmt not in FORMATS:
            return [], []
        taken, refused = FORMATS[fmt]
        good = taken if not isinstance(enum, list) else good
        bad += [["format", value] for value in refused]
    if pattern:
        both = perl(pattern)
        if not both:
            return [], []
        good = [text for text in (good if fmt or isinstance(enum, list) else POOL) if both[0].fullmatch(text)]
        bad += [["pattern", text] for text in POOL if text and not both[1].search(text)][:6]
    if shortest and shortest > 1:
        bad.append(["length", "a" * (shortest - 1)])
        good = [text if len(text) >= shortest else text * shortest if not (fmt or pattern) else "" for text in good]
        good = [text for text in good if len(text) >= shortest]
    if longest:
        bad.append(["length", "a" * (longest + 1)])
        good = [text for text in good if len(text) <= longest]
    return good[:12], bad


def property_string(keys):
    """Texts with all that is required, then one optional key each; and each key once in a way that is refused."""
    own = {key: values(part) for key, part in keys.items() if not part.get("alias")}
    if any(not own[key][0] for key in own if not keys[key].get("optional")):
        return [], []

    def text(chosen):
        return ",".join(f"{key}={value}" for key, value in chosen.items())

    def fits(value):
        return value and "," not in value and "=" not in value

    must = {key: next((value for value in own[key][0] if fits(value)), None) for key in own if not keys[key].get("optional")}
    if None in must.values():
        return [], []
    # A drive that names no volume, or a network card without a model, is PVE's business beyond the schema; required keys are enough.
    good = [text(must)] if must else []
    bad = []
    for key, (taken, refused) in own.items():
        need = keys[key].get("requires")
        beside = dict(must)
        if need and need not in beside:
            if need not in own or not own[need][0]:
                continue
            bad += [["requires", text({**must, key: taken[0]})]] if taken and fits(taken[0]) else []
            beside[need] = own[need][0][0]
        good += [text({**beside, key: value}) for value in taken[:2] if fits(value)]
        # A boolean has more words inside of a text: on, yes …
        bad += [["inside", text({**beside, key: value})] for kind, value in refused if fits(value) and
                not (keys[key].get("type") == "boolean" and value.lower() in ("true", "yes"))][:2]
    if good:
        first = text(must) or good[0]
        bad += [["inside", first + ",labhelm-unknown=1"], ["inside", first + "," + first.split(",")[0]]]
    for key in must:
        rest = {other: value for other, value in must.items() if other != key}
        if rest:
            bad.append(["inside", text(rest)])
    return good[:24], bad[:24]


def values(schema):
    kind = schema.get("type", "string")
    if isinstance(schema.get("format"), dict):
        return property_string(schema["format"])
    if kind == "boolean":
        return ["0", "1"], [["type", "true"], ["type", "yes"], ["type", "2"]]
    if kind in ("integer", "number"):
        return numbers(schema, kind)
    if kind == "array":
        return values(schema["items"]) if isinstance(schema.get("items"), dict) and schema["items"] else ([], [])
    return strings(schema) if kind == "string" else ([], [])


def main(source, target):
    schema = json.loads(source.read_text(encoding="utf-8"))
    facts, lines = Facts(), []
    for call, endpoint in sorted(schema["endpoints"].items()):
        inside = set(re.findall(r"\{([^}]+)\}", call))
        params = {}
        for name, part in sorted((endpoint.get("parameters") or {}).items()):
            flags = ("o" if part.get("optional") else "") + ("p" if name in inside else "") + ("a" if part.get("type") == "array" else "")
            params[name] = [facts.shape(part), flags, part.get("requires") or ""]
        row = {"call": call, "params": params}
        if endpoint.get("additionalProperties") not in (0, "0", False):
            row["more"] = 1
        lines.append(row)
    with target.open("w", encoding="utf-8") as out:
        for row in [{"shapes": facts.shapes}, *lines]:
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{target.name}: {len(lines)} calls, {len(facts.shapes)} shapes, {target.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    for number_of, path in (("9", sys.argv[1]), ("8", sys.argv[2])):
        main(pathlib.Path(path), pathlib.Path(sys.argv[3]) / f"request-facts-{number_of}.jsonl")
