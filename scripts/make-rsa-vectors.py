#!/usr/bin/env python3
"""Makes test/fixtures/signing/rsa-vectors.json: 500 RSA signatures, right ones and wrong ones.

Right ones come from `openssl dgst -sign`. Wrong ones are blocks built here, byte by byte, and put through the private
operation by `openssl pkeyutl` without padding; forgeries for e = 3 need no private key at all. Private keys are made
anew and thrown away. Run: python3 scripts/make-rsa-vectors.py
"""

import base64
import hashlib
import json
import os
import random
import re
import subprocess
import tempfile

WORK = tempfile.mkdtemp(prefix="rsa-vectors-")
RANDOM = random.Random(20261121)
VECTORS = []
OIDS = {
    "md5": "06082a864886f70d0205",
    "sha1": "06052b0e03021a",
    "sha256": "0609608648016503040201",
    "sha384": "0609608648016503040202",
    "sha512": "0609608648016503040203",
}


def openssl(*arguments, data=b""):
    return subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout


class Key:
    def __init__(self, name, bits, exponent):
        self.path = os.path.join(WORK, name + ".pem")
        openssl("genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-pkeyopt", f"rsa_keygen_pubexp:{exponent}", "-out", self.path)
        self.pem = openssl("pkey", "-in", self.path, "-pubout").decode()
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode()
        self.name, self.size, self.exponent = name, bits // 8, exponent
        self.modulus = int(re.search("=([0-9A-F]+)", modulus).group(1), 16)

    def sign(self, data, hash_name="sha256", *options):
        return openssl("dgst", "-" + hash_name, "-sign", self.path, *options, data=data)

    def apply(self, block):
        """The private operation on a block as long as the modulus; `-decrypt` is that, `-sign` takes hashes alone."""
        assert len(block) == self.size
        path = os.path.join(WORK, "block.bin")
        with open(path, "wb") as file:
            file.write(block)
        return openssl("pkeyutl", "-decrypt", "-inkey", self.path, "-pkeyopt", "rsa_padding_mode:none", "-in", path)


KEYS = [Key("rsa2048", 2048, 65537), Key("rsa3072", 3072, 65537), Key("rsa4096", 4096, 65537), Key("rsa2048e3", 2048, 3), Key("other", 2048, 65537)]
MAIN, E3, OTHER = KEYS[0], KEYS[3], KEYS[4]
TEXTS = ["INV-2026-00421500KEMPESA-KE", "", "a", "caf\u00e9 \U0001f600", "x" * 500, "line\nbreak\r\n", "\u0000", "KE" * 40]


def add(kind, key, text, signature, valid=False):
    if isinstance(signature, bytes):
        signature = base64.b64encode(signature).decode()
    VECTORS.append({"kind": kind, "key": key.name, "text": text, "signature": signature, "valid": valid})


def digest_info(data, hash_name="sha256", parameters="0500", digest=None):
    digest = hashlib.new(hash_name, data).digest() if digest is None else digest
    algorithm = bytes.fromhex(OIDS[hash_name] + parameters)
    sequence = b"\x30" + bytes([len(algorithm)]) + algorithm
    body = sequence + b"\x04" + bytes([len(digest)]) + digest
    return b"\x30" + bytes([len(body)]) + body


def pad(payload, size, head=b"\x00\x01", filler=b"\xff", separator=b"\x00"):
    return head + filler * (size - len(head) - len(separator) - len(payload)) + separator + payload


def text_of(index):
    return TEXTS[index % len(TEXTS)] + (str(index) if index >= len(TEXTS) else "")


def add_right(count):
    for index in range(count):
        key = KEYS[index % 4]
        text = text_of(index)
        add("right", key, text, key.sign(text.encode()), True)


def add_other_ways(count):
    for index in range(count):
        text = text_of(index)
        data = text.encode()
        for hash_name in ["md5", "sha1", "sha384", "sha512"]:
            add(f"signed with {hash_name}", MAIN, text, MAIN.sign(data, hash_name))
        add("PSS", MAIN, text, MAIN.sign(data, "sha256", "-sigopt", "rsa_padding_mode:pss"))
        add("another key", MAIN, text, OTHER.sign(data))
        add("another text", MAIN, text, MAIN.sign(data + b"\n"))


def wrong_blocks(data, size):
    info = digest_info(data)
    digest = hashlib.sha256(data).digest()
    yield "block type 2", pad(info, size, b"\x00\x02")
    yield "block type 2, random filler", b"\x00\x02" + bytes(RANDOM.randrange(1, 256) for _ in range(size - 3 - len(info))) + b"\x00" + info
    yield "block type 0", pad(info, size, b"\x00\x00", b"\x00")
    yield "filler of zeros", pad(info, size, filler=b"\x00")
    yield "filler of 0xfe", pad(info, size, filler=b"\xfe")
    place = RANDOM.randrange(3, size - len(info) - 2)
    block = bytearray(pad(info, size))
    block[place] ^= 1 << RANDOM.randrange(8)
    yield "one bit of the filler altered", bytes(block)
    yield "no zero after the filler", pad(info, size, separator=b"\xff")
    yield "two zeros after the filler", pad(info, size, separator=b"\x00\x00")
    yield "filler of eight bytes, the rest behind the digest", b"\x00\x01" + b"\xff" * 8 + b"\x00" + info + bytes(size - 11 - len(info))
    yield "filler cut by one, a byte behind the digest", pad(info + b"\x00", size)
    yield "filler of seven bytes", b"\x00\x01" + b"\xff" * 7 + b"\x00" + info + bytes(RANDOM.randrange(256) for _ in range(size - 10 - len(info)))
    yield "no NULL in DigestInfo", pad(digest_info(data, parameters=""), size)
    yield "NULL with content", pad(digest_info(data, parameters="050100"), size)
    yield "other parameters", pad(digest_info(data, parameters="04020000"), size)
    yield "SHA-1's name with SHA-256's digest", pad(digest_info(data, "sha1", digest=digest), size)
    yield "SHA-256's name with SHA-1's digest", pad(digest_info(data, digest=hashlib.sha1(data).digest()), size)
    yield "SHA-512's name with SHA-256's digest", pad(digest_info(data, "sha512", digest=digest), size)
    yield "digest cut by one byte", pad(digest_info(data, digest=digest[:-1]), size)
    yield "digest longer by one byte", pad(digest_info(data, digest=digest + b"\x00"), size)
    yield "length of DigestInfo in long form", pad(b"\x30\x81" + info[1:], size)
    yield "length of DigestInfo of unknown extent", pad(b"\x30\x80" + info[2:] + b"\x00\x00", size)
    yield "length of the digest in long form", pad(info[:1] + bytes([info[1] + 1]) + info[2:-33] + b"\x81" + info[-33:], size)
    yield "length of DigestInfo too great", pad(info[:1] + bytes([info[1] + 1]) + info[2:], size)
    yield "BIT STRING for OCTET STRING", pad(info[:-34] + b"\x03" + info[-33:], size)
    yield "a byte behind DigestInfo", pad(info + b"\x00", size)
    yield "many bytes behind DigestInfo", pad(info + bytes(40), size)
    yield "bytes behind the digest, inside DigestInfo", pad(info[:1] + bytes([info[1] + 4]) + info[2:] + b"\x05\x02\x00\x00", size)
    yield "no DigestInfo", pad(digest, size)
    yield "no DigestInfo, hex text", pad(digest.hex().encode(), size)
    yield "no padding", bytes(size - len(info)) + info
    yield "filler of one byte, more of it behind the zero", b"\x00\x01\xff\x00" + pad(info, size)[4:]
    flipped = bytearray(info)
    flipped[-1 - RANDOM.randrange(32)] ^= 1 << RANDOM.randrange(8)
    yield "one bit of the digest altered", pad(bytes(flipped), size)


def add_wrong_blocks(count):
    for index in range(count):
        text = text_of(index)
        for kind, block in wrong_blocks(text.encode(), MAIN.size):
            add(kind, MAIN, text, MAIN.apply(block))


def cube_root(number):
    low, high = 0, 1 << (number.bit_length() // 3 + 2)
    while low < high:
        middle = (low + high) // 2
        if middle**3 < number:
            low = middle + 1
        else:
            high = middle
    return low


def add_forgeries(count):
    """Bleichenbacher's forgery: DigestInfo high up, whatever makes it a cube behind it."""
    size = E3.size
    for index in range(count):
        text = f"forged {index}"
        info = digest_info(text.encode())
        for filler in (8, 12, 20, 26):
            head = b"\x00\x01" + b"\xff" * filler + b"\x00" + info
            root = cube_root(int.from_bytes(head + bytes(size - len(head)), "big"))
            assert (root**3).to_bytes(size, "big").startswith(head)
            add(f"forgery for e = 3, filler of {filler} bytes", E3, text, root.to_bytes(size, "big"))
        # A filler of arbitrary bytes instead of 0xff, DigestInfo right at the end: a cube root modulo a power of two.
        suffix = int.from_bytes(b"\x00" + info, "big")
        if suffix % 2 == 1:
            bits = 8 * (len(info) + 1)
            root = 1
            for bit in range(1, bits):
                if ((root**3) ^ suffix) >> bit & 1:
                    root |= 1 << bit
            assert root**3 % (1 << bits) == suffix
            add("forgery for e = 3, DigestInfo at the end", E3, text, root.to_bytes(size, "big"))


def add_altered(count):
    for index in range(count):
        text = text_of(index)
        right = MAIN.sign(text.encode())
        number = int.from_bytes(right, "big")
        standard = base64.b64encode(right).decode()
        altered = bytearray(right)
        altered[RANDOM.randrange(len(right))] ^= 1 << RANDOM.randrange(8)
        add("one bit of the signature altered", MAIN, text, bytes(altered))
        add("a zero byte in front", MAIN, text, b"\x00" + right)
        add("a zero byte behind", MAIN, text, right + b"\x00")
        add("cut by one byte", MAIN, text, right[:-1])
        add("cut to half", MAIN, text, right[:128])
        add("first byte missing", MAIN, text, right[1:])
        add("twice as long", MAIN, text, right + right)
        add("plus the modulus", MAIN, text, (number + MAIN.modulus).to_bytes(257, "big"))
        add("the modulus minus it", MAIN, text, (MAIN.modulus - number).to_bytes(256, "big"))
        add("byte order turned round", MAIN, text, right[::-1])
        add("URL-safe Base64", MAIN, text, standard.replace("+", "-").replace("/", "_") if re.search("[+/]", standard) else standard + "_")
        add("unpadded Base64", MAIN, text, standard.rstrip("="))
        add("wrapped Base64", MAIN, text, base64.encodebytes(right).decode())
        add("a line feed after the Base64", MAIN, text, standard + "\n")
        add("a space in front of the Base64", MAIN, text, " " + standard)
        add("in quotes", MAIN, text, f'"{standard}"')
        add("hex", MAIN, text, right.hex())
        spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        last = spare[spare.index(standard[-3]) ^ 1]
        add("spare bits of the Base64 set", MAIN, text, standard[:-3] + last + "==")


def add_short_ones():
    """A signature whose first byte is zero, and the same without that byte."""
    found = 0
    for index in range(2000):
        text = f"short {index}"
        signature = MAIN.sign(text.encode())
        if signature[0] != 0:
            continue
        add("right, its first byte zero", MAIN, text, signature, True)
        add("its zero first byte left out", MAIN, text, signature.lstrip(b"\x00"))
        found += 1
        if found == 3:
            return


def add_edges():
    size, text = MAIN.size, "edge"
    for kind, number in [("zero", 0), ("one", 1), ("the modulus", MAIN.modulus), ("the modulus minus one", MAIN.modulus - 1), ("all ones", (1 << 2048) - 1)]:
        add(kind, MAIN, text, number.to_bytes(size, "big"))
    add("empty", MAIN, text, "")
    add("padding alone", MAIN, text, "====")
    add("not Base64", MAIN, text, "not a signature")
    add("a key's size too long", KEYS[1], text, MAIN.sign(text.encode()))
    add("a key's size too short", MAIN, text, KEYS[1].sign(text.encode()))


add_right(120)
add_short_ones()
add_edges()
add_forgeries(5)
add_other_ways(6)
add_wrong_blocks(5)
add_altered(8)
while len(VECTORS) < 500:
    add_right(1)
    VECTORS[-1]["text"] = text = f"filled {len(VECTORS)}"
    VECTORS[-1]["key"], VECTORS[-1]["signature"] = MAIN.name, base64.b64encode(MAIN.sign(text.encode())).decode()
TARGET = os.path.join(os.path.dirname(__file__), "..", "test", "fixtures", "signing", "rsa-vectors.json")
with open(TARGET, "w", encoding="utf-8") as file:
    source = "scripts/make-rsa-vectors.py, " + openssl("version").decode().strip()
    json.dump({"source": source, "keys": {key.name: key.pem for key in KEYS}, "vectors": VECTORS}, file, indent=1)
    file.write("\n")
print(len(VECTORS), "vectors,", sum(vector["valid"] for vector in VECTORS), "right")
