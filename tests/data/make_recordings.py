#!/usr/bin/env python3
"""Makes the table of recorded exchanges that the replay test holds the simulator against.

    make_recordings.py FOLDER-OF-ANSWERS OUTPUT.jsonl

Facts only: what was asked, status, reason, headers that matter, and of the body the keys with their JSON types. Tickets, tokens and
CSRF tokens are replaced by what they were: whose, and how old. One JSON object a line, in the order of time:

  n       number of the recording        at       seconds since the epoch when it was answered
  method  path (with query)  http        body     as it was sent; {ticket:USER:AGE} stands for a ticket, {zeros:N} for N bytes
  type    Content-Type of the body       extra    other request headers that change the answer
  who     {"none":1} · {"user":…,"age":…,"form":"cookie|raw|authorization","csrf":age|"wrong"} · {"header":…, with {secret}}
  status  reason  connection  answers    Content-Type; null when there is none
  plain   1 when it was asked without TLS
  encoding  gzip or deflate
  length  false when the answer has no Content-Length
  text    the body when it is no JSON    message  errors: as they came
  upid    of the task that was started
  shape   the body: "string", "number", "null", "bool", {key: shape}, [distinct shapes of the elements]
"""
import email.utils
import json
import pathlib
import re
import sys
import urllib.parse

TICKET = re.compile(r"PVE:([^:&]+@[a-z]+):([0-9A-F]{8})::[^&]*")


def shape(value):
    if isinstance(value, bool):
        return "bool"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, dict):
        return {key: shape(value[key]) for key in sorted(value)}
    distinct = {json.dumps(shape(element), sort_keys=True) for element in value}
    return [json.loads(text) for text in sorted(distinct)]


def credential(headers, at, refused):
    csrf = headers.get("csrfpreventiontoken")
    authorization = headers.get("authorization", "")
    cookie = headers.get("cookie", "")
    raw = authorization if "PVEAuthCookie" in authorization else cookie
    if authorization and not raw:
        return {"header": re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "{wrong}" if refused else "{secret}", authorization)}
    if not raw:
        return {"none": 1}
    value = raw.split("=", 1)[1]
    ticket = TICKET.fullmatch(urllib.parse.unquote(value))
    if not ticket or ticket.group(2) == "00000000":
        return {"cookie": value if len(value) < 12 else "PVE:root@pam:00000000::" + "A" * 8}
    who = {"user": ticket.group(1), "age": at - int(ticket.group(2), 16),
           "form": "authorization" if raw is authorization else "raw" if "%3A" not in value else "cookie"}
    if csrf:
        who["csrf"] = at - int(csrf.split(":")[0], 16) if csrf.endswith("CSRF") else "wrong"
    return who


def plain_body(text, at):
    if text is None:
        return ""
    if len(text) > 4000:
        return f"{{zeros:{len(text)}}}"
    big = re.fullmatch(r"<(\d+) bytes>", text)
    if big:
        return f"{{zeros:{big.group(1)}}}"
    found = TICKET.search(urllib.parse.unquote(text))
    if found:
        age = at - int(found.group(2), 16)
        return re.sub(r"password=[^&]*", f"password={{ticket:{found.group(1)}:{age}}}", text)
    return text


def exchange(path):
    source = json.loads(path.read_text(encoding="utf-8"))
    if "request" not in source or not isinstance(source["request"].get("headers"), list):
        return None
    request, response = source["request"], dict(source["response"])
    line = re.fullmatch(r"HTTP/1\.[01] (\d+) (.*)", response.get("status_line") or "")
    if "status" not in response and line:
        # What was asked for a websocket was taken down in another form.
        response["status"], response["reason"] = int(line.group(1)), line.group(2)
        if (response.get("body") or "").startswith("{"):
            response["json"] = json.loads(response.pop("body"))
    headers = {name.lower(): value for name, value in request["headers"]}
    answered = {}
    for name, value in response["headers"]:
        answered.setdefault(name.lower(), []).append(value)
    date = answered.get("date")
    at = int(email.utils.parsedate_to_datetime(date[0]).timestamp()) if date else None
    known = {"accept", "cookie", "content-type", "content-length", "csrfpreventiontoken", "authorization"}
    row = {
        "n": int(path.name[:3]), "at": at, "method": request["method"], "path": request["path"], "http": request.get("http", "HTTP/1.1"),
        "body": request.get("body"), "type": headers.get("content-type"),
        "extra": {name: (value if len(value) < 200 else f"{{letters:{len(value)}}}") for name, value in headers.items() if name not in known},
        "headers": headers, "status": response.get("status"), "reason": response.get("reason"),
        "connection": answered.get("connection", []), "answers": answered.get("content-type", [None])[0],
        "length": "content-length" in answered, "encoding": answered.get("content-encoding", [None])[0],
    }
    if path.name[4:].startswith("plain-http"):
        row["plain"] = 1
    if "json" in response:
        body = response["json"]
        row["shape"] = shape(body)
        if isinstance(body, dict) and "message" in body:
            row["message"] = body["message"]
        if isinstance(body, dict) and "errors" in body:
            row["errors"] = body["errors"]
        if isinstance(body, dict) and str(body.get("data", "")).startswith("UPID:"):
            row["upid"] = body["data"]
    elif response.get("body") is not None and (row["answers"] or "").split("/")[0] in ("", "text") and len(response["body"]) < 1000:
        row["text"] = response["body"]
    return row


def main(folder, target):
    rows = [row for path in sorted(folder.glob("*.json")) if (row := exchange(path))]
    # An exchange without an answer happened right after the one before it.
    last = None
    for row in rows:
        row["at"] = row["at"] or last
        last = row["at"]
    # The clock ran ahead of the numbers in places, and was put back for the tickets' ages; only 700 and later do the latter.
    rows.sort(key=lambda row: (row["n"] >= 700, row["n"] >= 771, row["at"] if row["n"] < 771 else 0, row["n"]))
    with target.open("w", encoding="utf-8") as out:
        for row in rows:
            row["who"] = credential(row.pop("headers"), row["at"], row["status"] == 401)
            row["body"] = plain_body(row["body"], row["at"])
            for field in ("body", "path"):
                row[field] = re.sub(r"[A-Za-z0-9+/%]*SIGNATURE(%3D)*", "{signature}", row[field])
            out.write(json.dumps({key: value for key, value in row.items() if value not in (None, "", {})},
                                 ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{len(rows)} exchanges, {target.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
