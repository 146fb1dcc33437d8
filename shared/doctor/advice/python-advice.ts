import type { LanguageAdvice } from './code-topics';

/** What to change in Python code. */
export const pythonAdvice: LanguageAdvice = {
  label: 'Python',
  syntax: 'python',
  right: {
    join: 'text = f"{reference}{amount}{country}{service_code}"',
    reference: 'reference = body["transaction"]["reference"]',
    amount: 'amount = raw_amount  # json.loads(raw, parse_int=str, parse_float=str) keeps the literal',
    country: 'country = body["originator"]["country"]',
    bytes: 'data = text.encode("utf-8")',
    key: 'key = load_pem_private_key(open(os.environ["SIGNING_KEY_FILE"], "rb").read(), None)',
    sign: 'signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())',
    encode: 'value = base64.b64encode(signature).decode()',
    header: 'headers["X-Custom-Signature"] = value',
  },
  wrong: {
    'encoding.url_safe': 'value = base64.urlsafe_b64encode(signature).decode()',
    'encoding.hex': 'value = signature.hex()',
    'encoding.wrapped': 'value = base64.encodebytes(signature).decode()',
    'encoding.double': 'value = base64.b64encode(base64.b64encode(signature)).decode()',
    'encoding.header_name': 'headers["X-Custom-Signature"] = "X-Custom-Signature: " + value',
    'encoding.truncated': 'value = base64.b64encode(signature).decode().rstrip("=")',
    'key.other': 'key = load_pem_private_key(open("old-key.pem", "rb").read(), None)',
    'key.environment_swapped': 'key = load_pem_private_key(open("other-environment.pem", "rb").read(), None)',
    'key.vault': 'key = load_pem_private_key(open("other-key.pem", "rb").read(), None)',
    'padding.pss':
      'signature = key.sign(text.encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())',
    'hash.md5': 'signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.MD5())',
    'hash.sha1': 'signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA1())',
    'hash.sha384': 'signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA384())',
    'hash.sha512': 'signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA512())',
    'hash.missing': 'signature = rsa.transform.int2bytes(rsa.core.encrypt_int(padded_text, key.d, key.n))',
    'hash.double':
      'signature = key.sign(hashlib.sha256(text.encode()).digest(), padding.PKCS1v15(), hashes.SHA256())',
    'hash.hex_text':
      'signature = key.sign(hashlib.sha256(text.encode()).hexdigest().encode(), padding.PKCS1v15(), hashes.SHA256())',
    'hash.base64_text':
      'signature = key.sign(base64.b64encode(hashlib.sha256(text.encode()).digest()), padding.PKCS1v15(), hashes.SHA256())',
    'string.separator': 'text = %actual%.join([reference, amount, country, service_code])',
    'string.order': 'text = "".join(fields.values())',
    'string.field_missing': 'text = f"{reference}{amount}{service_code}"',
    'string.field_extra': 'text = f"{reference}{amount}{currency}{country}{service_code}"',
    'string.quoted': 'text = json.dumps([reference, amount, country, service_code])',
    'string.case': 'text = f"{reference}{amount}{country}{service_code}".upper()',
    'string.white_space': 'text = f"{reference} {amount}{country}{service_code}".strip()',
    'string.line_end': 'text = f"{reference}{amount}{country}{service_code}\\n"',
    'string.bom': 'data = text.encode("utf-8-sig")',
    'string.charset': 'data = text.encode("utf-16-le")',
    'string.whole_body': 'text = json.dumps(body)',
    'string.other_reference': 'reference = previous["transaction"]["reference"]',
    'number.format': "amount = formatted(body['transaction']['amount'])  # %actual%",
    'country.form': 'country = %actual%',
  },
};
