import type { LanguageAdvice } from './code-topics';

/** What to change in Node code. */
export const nodeAdvice: LanguageAdvice = {
  label: 'Node',
  syntax: 'javascript',
  right: {
    join: 'const text = `${reference}${amount}${country}${serviceCode}`;',
    reference: 'const reference = body.transaction.reference;',
    amount: 'const amount = rawAmount; // the literal of the body text, not a parsed number',
    country: 'const country = body.originator.country;',
    bytes: "const bytes = Buffer.from(text, 'utf8');",
    key: 'const privateKey = readFileSync(process.env.SIGNING_KEY_FILE); // the key of this environment',
    sign: "const signature = sign('sha256', Buffer.from(text), privateKey);",
    encode: "const value = signature.toString('base64');",
    header: "headers['X-Custom-Signature'] = value;",
  },
  wrong: {
    'encoding.url_safe': "const value = signature.toString('base64url');",
    'encoding.hex': "const value = signature.toString('hex');",
    'encoding.wrapped': "const value = signature.toString('base64').replace(/(.{64})/g, '$1\\n');",
    'encoding.double': "const value = Buffer.from(signature.toString('base64')).toString('base64');",
    'encoding.header_name': "headers['X-Custom-Signature'] = `X-Custom-Signature: ${value}`;",
    'encoding.truncated': "const value = signature.toString('base64').replace(/=+$/, '');",
    'key.other': "const privateKey = readFileSync('old-key.pem');",
    'key.environment_swapped': "const privateKey = readFileSync('other-environment.pem');",
    'key.vault': "const privateKey = readFileSync('other-key.pem');",
    'padding.pss':
      "const signature = sign('sha256', Buffer.from(text), { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING });",
    'hash.md5': "const signature = sign('md5', Buffer.from(text), privateKey);",
    'hash.sha1': "const signature = sign('sha1', Buffer.from(text), privateKey);",
    'hash.sha384': "const signature = sign('sha384', Buffer.from(text), privateKey);",
    'hash.sha512': "const signature = sign('sha512', Buffer.from(text), privateKey);",
    'hash.missing': 'const signature = privateEncrypt(privateKey, Buffer.from(text));',
    'hash.double':
      "const signature = sign('sha256', createHash('sha256').update(text).digest(), privateKey);",
    'hash.hex_text':
      "const signature = sign('sha256', createHash('sha256').update(text).digest('hex'), privateKey);",
    'hash.base64_text':
      "const signature = sign('sha256', createHash('sha256').update(text).digest('base64'), privateKey);",
    'string.separator': 'const text = [reference, amount, country, serviceCode].join(%actual%);',
    'string.order': "const text = Object.values(fields).join('');",
    'string.field_missing': 'const text = `${reference}${amount}${serviceCode}`;',
    'string.field_extra': 'const text = `${reference}${amount}${currency}${country}${serviceCode}`;',
    'string.quoted': 'const text = JSON.stringify([reference, amount, country, serviceCode]);',
    'string.case': 'const text = `${reference}${amount}${country}${serviceCode}`.toUpperCase();',
    'string.white_space': 'const text = `${reference} ${amount}${country}${serviceCode}`.trim();',
    'string.line_end': 'const text = `${reference}${amount}${country}${serviceCode}\\n`;',
    'string.bom': "const bytes = Buffer.from('\\ufeff' + text, 'utf8');",
    'string.charset': "const bytes = Buffer.from(text, 'utf16le');",
    'string.whole_body': 'const text = JSON.stringify(body);',
    'string.other_reference': 'const reference = previous.transaction.reference;',
    'number.format': 'const amount = formatted(body.transaction.amount); // %actual%',
    'country.form': 'const country = %actual%;',
  },
};
