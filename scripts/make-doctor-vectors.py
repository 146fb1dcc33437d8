#!/usr/bin/env python3
"""Makes test/fixtures/signing/doctor-vectors.json: signatures done wrong in known ways.

Python builds the strings and openssl signs them, so that none of our own code has a part in what the doctor is
asked. Private keys are made anew and thrown away. Run: python3 scripts/make-doctor-vectors.py
"""

import base64
import hashlib
import json
import os
import subprocess
import tempfile

WORK = tempfile.mkdtemp(prefix="doctor-vectors-")
VECTORS = []


def openssl(*arguments, data=b""):
    return subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout


def make_key(name, bits=2048):
    path = os.path.join(WORK, name + ".pem")
    openssl("genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", f"rsa_keygen_bits:{bits}", "-out", path)
    return path, openssl("pkey", "-in", path, "-pubout").decode()


KEYS = {name: make_key(name, bits) for name, bits in [("main", 2048), ("other", 2048), ("third", 2048), ("large", 3072)]}


def sign(data, hash_name="sha256", key="main"):
    return openssl("dgst", "-" + hash_name, "-sign", KEYS[key][0], data=data)


def sign_pss(data, salt="digest", hash_name="sha256"):
    options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", f"rsa_pss_saltlen:{salt}"]
    return openssl("dgst", "-" + hash_name, "-sign", KEYS["main"][0], *options, data=data)


def sign_bare(data):
    """PKCS#1 padding around the bytes as they are."""
    return openssl("pkeyutl", "-sign", "-inkey", KEYS["main"][0], "-pkeyopt", "rsa_padding_mode:pkcs1", "-in", write_temporary(data))


def write_temporary(data):
    path = os.path.join(WORK, "input.bin")
    with open(path, "wb") as file:
        file.write(data)
    return path


def make_body(reference="INV-2026-0042", amount="1500", country="KE", service="MPESA-KE", indent=2):
    value = {
        "transaction": {
            "reference": reference,
            "amount": "@amount@",
            "currency": "KES",
            "description": "Family support",
            "service_code": service,
            "timestamp": "2026-11-21 10:00:00",
        },
        "originator": {
            "nationality": "KE",
            "address": "1 River Road",
            "msisdn": "254711000000",
            "country": country,
            "purpose": "Family support",
        },
        "recipient": {
            "address": "Kampala Road 4",
            "country": "UG",
            "relationship": "Brother",
            "account_type": "MOMO",
            "account": "256700000000",
        },
        "callback_url": "https://example.com/callbacks",
        "meta": {"order": "A-17"},
    }
    return json.dumps(value, indent=indent, ensure_ascii=False).replace('"@amount@"', amount)


BODY = make_body()
PARSED = json.loads(BODY)
FIELDS = ["INV-2026-0042", "1500", "KE", "MPESA-KE"]
TEXT = "".join(FIELDS)


def add(name, codes, signature, verdict="explained", body=BODY, **more):
    if isinstance(signature, bytes):
        signature = base64.b64encode(signature).decode()
    VECTORS.append({"name": name, "codes": codes, "verdict": verdict, "body": body, "signature": signature, **more})


def add_text(name, codes, text, body=BODY, **more):
    data = text if isinstance(text, bytes) else text.encode()
    add(name, codes, sign(data), body=body, **more)


def join(reference=FIELDS[0], amount=FIELDS[1], country=FIELDS[2], service=FIELDS[3], separator=""):
    return separator.join([reference, amount, country, service])


def add_valid():
    add("right", [], sign(TEXT.encode()), "valid")
    add("right, in a minified body", [], sign(TEXT.encode()), "valid", body=make_body(indent=None))
    unusual = make_body("caf\u00e9 \U0001f600", "1000.00", "KEN", "S 1")
    add("right, unusual values", [], sign("caf\u00e9 \U0001f6001000.00KENS 1".encode()), "valid", body=unusual)


def add_encodings():
    raw = sign(TEXT.encode())
    standard = base64.b64encode(raw).decode()
    add("URL-safe", ["encoding.url_safe"], base64.urlsafe_b64encode(raw).decode())
    add("URL-safe, unpadded", ["encoding.url_safe"], base64.urlsafe_b64encode(raw).decode().rstrip("="))
    add("hex", ["encoding.hex"], raw.hex())
    add("upper-case hex", ["encoding.hex"], raw.hex().upper())
    add("hex with colons", ["encoding.hex"], ":".join(f"{byte:02x}" for byte in raw))
    add("wrapped at 64", ["encoding.wrapped"], base64.encodebytes(raw).decode())
    add("wrapped with CRLF", ["encoding.wrapped"], "\r\n".join(standard[at : at + 76] for at in range(0, len(standard), 76)))
    add("in quotes", ["encoding.wrapped"], f'"{standard}"')
    add("with a line feed after it", ["encoding.wrapped"], standard + "\n")
    add("with the header name", ["encoding.header_name"], "X-Custom-Signature: " + standard)
    add("with the header name in lower case", ["encoding.header_name"], "x-custom-signature:" + standard)
    add("as a JSON member", ["encoding.header_name"], f'"X-Custom-Signature": "{standard}"')
    add("Base64 twice", ["encoding.double"], base64.b64encode(standard.encode()).decode())
    add("Base64 of hex", ["encoding.double"], base64.b64encode(raw.hex().encode()).decode())
    add("percent-encoded", ["encoding.double"], standard.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"))
    add("unpadded", ["encoding.truncated"], standard.rstrip("="))
    add("cut", ["encoding.truncated"], standard[:300])
    add("cut by one character", ["encoding.truncated"], standard[:-3])
    add("header name and wrapped", ["encoding.header_name", "encoding.wrapped"], "X-Custom-Signature: " + base64.encodebytes(raw).decode())
    add("URL-safe over a separator", ["encoding.url_safe", "string.separator"], base64.urlsafe_b64encode(sign(join(separator="|").encode())).decode())
    for name, junk in [("a word", "hello"), ("nothing", ""), ("a PEM", KEYS["main"][1]), ("a JWT", "eyJhbGciOiJIUzI1NiJ9.e30.abc"), ("a sentence", "the signature is missing here!")]:
        add("not a signature: " + name, [], junk, "not_a_signature")


def add_keys():
    vault = [
        {"pem": KEYS["main"][1], "name": "Sandbox", "environment": "sandbox"},
        {"pem": KEYS["third"][1], "name": "Spare", "environment": None},
        {"pem": KEYS["other"][1], "name": "Production", "environment": "production"},
    ]
    data = TEXT.encode()
    add("another key, not in the vault", ["key.other"], sign(data, key="other"), "other_key")
    add("a longer key", ["key.other"], sign(data, key="large"), "other_key")
    add("another key of the vault", ["key.vault"], sign(data, key="third"), "other_key", vault=vault)
    add("keys of environments swapped", ["key.environment_swapped"], sign(data, key="other"), "other_key", vault=vault)
    add("another key of the vault, and a separator", ["key.vault", "string.separator"], sign(join(separator=",").encode(), key="third"), "other_key", vault=vault)


def add_hashes():
    data = TEXT.encode()
    for name in ["md5", "sha1", "sha384", "sha512"]:
        add(name, [f"hash.{name}"], sign(data, name))
    add("sha1 and a separator", ["hash.sha1", "string.separator"], sign(join(separator="|").encode(), "sha1"))
    add("sha512 and the amount with decimals", ["hash.sha512", "number.format"], sign(join(amount="1500.00").encode(), "sha512"))
    for salt in ["digest", "max", "20", "0"]:
        add(f"PSS, salt {salt}", ["padding.pss"], sign_pss(data, salt))
    add("PSS with SHA-512", ["padding.pss", "hash.sha512"], sign_pss(data, "digest", "sha512"))
    add("PSS and a separator", ["padding.pss", "string.separator"], sign_pss(join(separator=";").encode()))
    digest = hashlib.sha256(data)
    add("unhashed", ["hash.missing"], sign_bare(data))
    add("unhashed, with a separator", ["hash.missing", "string.separator"], sign_bare(join(separator="-").encode()))
    add("digest without DigestInfo", ["hash.missing"], sign_bare(digest.digest()))
    add("hex digest, unhashed", ["hash.missing", "hash.hex_text"], sign_bare(digest.hexdigest().encode()))
    add("hashed twice", ["hash.double"], sign(digest.digest()))
    add("hex digest", ["hash.hex_text"], sign(digest.hexdigest().encode()))
    add("upper-case hex digest", ["hash.hex_text"], sign(digest.hexdigest().upper().encode()))
    add("Base64 digest", ["hash.base64_text"], sign(base64.b64encode(digest.digest())))
    add("hex of MD5", ["hash.md5", "hash.hex_text"], sign(hashlib.md5(data).hexdigest().encode()))
    piped = hashlib.sha256(join(separator="|").encode())
    add("hex digest of a string with separators", ["hash.hex_text", "string.separator"], sign(piped.hexdigest().encode()))


def add_strings():
    for separator in ["|", ",", ";", ":", "-", "_", " ", "\n", "&", "||", ", ", ".", "\t"]:
        add_text(f"separator {separator!r}", ["string.separator"], join(separator=separator))
    add_text("a separator after each field", ["string.separator"], join(separator="|") + "|")
    reference, amount, country, service = FIELDS
    for order in [[amount, reference, country, service], [reference, country, amount, service], [reference, amount, service, country], [service, country, amount, reference]]:
        add_text("order " + " ".join(order), ["string.order"], "".join(order))
    add_text("without the country", ["string.field_missing"], reference + amount + service)
    add_text("without the service code", ["string.field_missing"], reference + amount + country)
    add_text("the reference alone", ["string.field_missing"] * 3, reference)
    add_text("undefined for the country", ["string.field_missing"], join(country="undefined"))
    add_text("None for the service code", ["string.field_missing"], join(service="None"))
    add_text("the country of the recipient", ["string.field_missing", "string.field_extra"], join(country="UG"))
    transaction = PARSED["transaction"]
    add_text("currency after the amount", ["string.field_extra"], reference + amount + transaction["currency"] + country + service)
    add_text("timestamp at the end", ["string.field_extra"], TEXT + transaction["timestamp"])
    add_text("account in front", ["string.field_extra"], PARSED["recipient"]["account"] + TEXT)
    add_text("names and values", ["string.field_extra"], f"reference={reference}&amount={amount}&country={country}&service_code={service}")
    add_text("values in quotes", ["string.quoted"], f'"{reference}"{amount}"{country}""{service}"')
    add_text("a JSON list", ["string.quoted"], json.dumps([reference, 1500, country, service]))
    add_text("the reference in quotes", ["string.quoted"], join(reference=f'"{reference}"'))
    add_text("all lower case", ["string.case"], TEXT.lower())
    add_text("reference in lower case", ["string.case"], join(reference=reference.lower()))
    add_text("service code in lower case", ["string.case"], join(service=service.lower()))
    add_text("a space after the reference", ["string.white_space"], join(reference=reference + " "))
    add_text("a space at the end", ["string.white_space"], TEXT + " ")
    add_text("trimmed", ["string.white_space"], TEXT, body=make_body(" INV-2026-0042"))
    add_text("inner spaces taken out", ["string.white_space"], "AB1500KEMPESA-KE", body=make_body("A B"))
    for end in ["\n", "\r\n", "\r"]:
        add_text(f"{end!r} at the end", ["string.line_end"], TEXT + end)
    add_text("a byte order mark", ["string.bom"], "\ufeff" + TEXT)
    for charset in ["utf-16-le", "utf-16-be", "utf-16"]:
        add_text(charset, ["string.charset"], TEXT.encode(charset))
    accents = make_body("Zo\u00eb-7")
    add_text("Latin-1", ["string.charset"], "Zo\u00eb-71500KEMPESA-KE".encode("latin-1"), body=accents)
    add_text("UTF-8 twice", ["string.charset"], "Zo\u00eb-71500KEMPESA-KE".encode().decode("latin-1").encode(), body=accents)
    add_text("decomposed", ["string.charset"], "Zoe\u0308-71500KEMPESA-KE", body=accents)
    add_text("question marks", ["string.charset"], "Zo?-71500KEMPESA-KE", body=accents)
    escaped = BODY.replace('"INV-2026-0042"', '"Zo\\u00eb-7"')
    add_text("escapes not decoded", ["string.quoted"], "Zo\\u00eb-71500KEMPESA-KE", body=escaped)
    add_text("the body as sent", ["string.whole_body"], BODY)
    add_text("the body minified", ["string.whole_body"], json.dumps(PARSED, separators=(",", ":")))
    add_text("the body as Python writes it", ["string.whole_body"], json.dumps(PARSED))
    add_text("the body with sorted keys", ["string.whole_body"], json.dumps(PARSED, separators=(",", ":"), sort_keys=True))
    add_text("the body pretty-printed", ["string.whole_body"], json.dumps(PARSED, indent=4))
    add_text("the body with a line feed", ["string.line_end", "string.whole_body"], BODY + "\n")
    add_text("the transaction alone", ["string.whole_body"], json.dumps(PARSED["transaction"], separators=(",", ":")))
    earlier = [
        {"title": "Payout, 09:12", "reference": "INV-2026-0041", "stringToSign": "INV-2026-0041900KEMPESA-KE"},
        {"title": "Payout, 09:10", "reference": "INV-2026-0040", "stringToSign": None},
    ]
    add_text("an earlier reference", ["string.other_reference"], join(reference="INV-2026-0040"), earlier=earlier)
    add_text("an earlier string", ["string.other_reference"], "INV-2026-0041900KEMPESA-KE", earlier=earlier)
    add_text("an earlier reference and a separator", ["string.separator", "string.other_reference"], join(reference="INV-2026-0040", separator="|"), earlier=earlier)


def add_values():
    for form in ["1500.00", "1500.0", "1,500", "1,500.00", "150000", "15.00", "1.5E3", "1.5e+03", "01500", "1500,00", "1 500"]:
        add_text(f"amount {form}", ["number.format"], join(amount=form))
    for literal, form in [("1500.00", "1500"), ("1500.00", "1500.0"), ("1.5e3", "1500"), ("1500.50", "1500.5"), ("12345678901234567890", "12345678901234567000"), ("10000000", "1.0E7"), ("12345678901234567890", "1.2345678901234567e+19")]:
        add_text(f"amount {literal} as {form}", ["number.format"], join(amount=form), body=make_body(amount=literal))
    add_text("a quoted amount, signed with its quotes", ["string.quoted"], join(amount='"1500"'), body=make_body(amount='"1500"'))
    for form in ["KEN", "ke", "ken", "Kenya"]:
        add_text(f"country {form}", ["country.form"], join(country=form))
    for form in ["KE", "ken", "ke"]:
        add_text(f"country KEN as {form}", ["country.form"], join(country=form), body=make_body(country="KEN"))


def add_pairs():
    add_text("separator and country", ["string.separator", "country.form"], join(country="KEN", separator="|"))
    add_text("separator and amount", ["string.separator", "number.format"], join(amount="1500.00", separator=","))
    add_text("amount and country", ["number.format", "country.form"], join(amount="1500.00", country="KEN"))
    add_text("order and line end", ["string.order", "string.line_end"], FIELDS[1] + FIELDS[0] + FIELDS[2] + FIELDS[3] + "\n")
    add_text("lower case and separator", ["string.separator", "string.case"], join(separator="|").lower())
    add_text("extra field and separator", ["string.separator", "string.field_extra"], "|".join([FIELDS[0], FIELDS[1], "KES", FIELDS[2], FIELDS[3]]))
    add_text("missing field and separator", ["string.separator", "string.field_missing"], ":".join([FIELDS[0], FIELDS[1], FIELDS[3]]))
    add_text("UTF-16 and separator", ["string.separator", "string.charset"], join(separator="|").encode("utf-16-le"))
    add_text("two extra fields", ["string.field_extra", "string.field_extra"], FIELDS[0] + FIELDS[1] + "KES" + FIELDS[2] + FIELDS[3] + "256700000000")


def add_unknown():
    for text in ["something else", TEXT + "s3cret", "INV-2026-0043" + "".join(FIELDS[1:])]:
        add_text(f"unknown: {text}", [], text, verdict="unexplained")
    claimed = f"v1:{FIELDS[0]}/{FIELDS[1]}/secret"
    codes = ["string.field_missing", "string.field_missing", "string.field_extra"]
    add_text("unknown, but claimed", codes, claimed, claimed=claimed)
    add_text("claimed, with a line feed that was not claimed", [*codes, "string.line_end"], claimed + "\n", claimed=claimed)
    add_text("claimed something else", [], "something else", verdict="unexplained", claimed=TEXT)


for part in [add_valid, add_encodings, add_keys, add_hashes, add_strings, add_values, add_pairs, add_unknown]:
    part()

TARGET = os.path.join(os.path.dirname(__file__), "..", "test", "fixtures", "signing", "doctor-vectors.json")
with open(TARGET, "w", encoding="utf-8") as file:
    source = "scripts/make-doctor-vectors.py, " + openssl("version").decode().strip()
    json.dump({"source": source, "publicKeyPem": KEYS["main"][1], "vectors": VECTORS}, file, indent=1)
    file.write("\n")
print(len(VECTORS), "vectors")
