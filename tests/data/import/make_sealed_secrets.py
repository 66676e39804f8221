#!/usr/bin/env python3
"""Writes secrets.enc as Proxmox-AIops seals it: scrypt (N=2^15, r=8, p=1), then Fernet. All secrets are made up."""
import base64
import json
import os

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

salt = bytes(range(16))
key = base64.urlsafe_b64encode(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive("correct horse ü".encode()))
names = {"pve-lab": "11111111-2222-3333-4444-555555555555", "office": "a pässword with \"quotes\""}
sealed = {
    "version": 1,
    "salt": base64.b64encode(salt).decode("ascii"),
    "ciphertext": Fernet(key).encrypt(json.dumps(names).encode("utf-8")).decode("ascii"),
}
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "secrets.enc"), "w", encoding="utf-8") as out:
    json.dump(sealed, out, indent=2)
    out.write("\n")
