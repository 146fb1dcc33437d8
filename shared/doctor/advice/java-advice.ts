import type { LanguageAdvice } from './code-topics';

/** What to change in Java code. */
export const javaAdvice: LanguageAdvice = {
  label: 'Java',
  syntax: 'java',
  right: {
    join: 'String text = reference + amount + country + serviceCode;',
    reference: 'String reference = body.at("/transaction/reference").asText();',
    amount: 'String amount = rawAmount; // the literal of the body text, not a double',
    country: 'String country = body.at("/originator/country").asText();',
    bytes: 'byte[] bytes = text.getBytes(StandardCharsets.UTF_8);',
    key: 'PrivateKey key = loadKey(System.getenv("SIGNING_KEY_FILE")); // the key of this environment',
    sign: 'Signature signer = Signature.getInstance("SHA256withRSA"); signer.update(bytes);',
    encode: 'String value = Base64.getEncoder().encodeToString(signer.sign());',
    header: 'request.header("X-Custom-Signature", value);',
  },
  wrong: {
    'encoding.url_safe': 'String value = Base64.getUrlEncoder().encodeToString(signer.sign());',
    'encoding.hex': 'String value = HexFormat.of().formatHex(signer.sign());',
    'encoding.wrapped': 'String value = Base64.getMimeEncoder().encodeToString(signer.sign());',
    'encoding.double':
      'String value = Base64.getEncoder().encodeToString(Base64.getEncoder().encode(signer.sign()));',
    'encoding.header_name': 'request.header("X-Custom-Signature", "X-Custom-Signature: " + value);',
    'encoding.truncated':
      'String value = Base64.getEncoder().withoutPadding().encodeToString(signer.sign());',
    'key.other': 'PrivateKey key = loadKey("old-key.pem");',
    'key.environment_swapped': 'PrivateKey key = loadKey("other-environment.pem");',
    'key.vault': 'PrivateKey key = loadKey("other-key.pem");',
    'padding.pss': 'Signature signer = Signature.getInstance("RSASSA-PSS"); signer.update(bytes);',
    'hash.md5': 'Signature signer = Signature.getInstance("MD5withRSA"); signer.update(bytes);',
    'hash.sha1': 'Signature signer = Signature.getInstance("SHA1withRSA"); signer.update(bytes);',
    'hash.sha384': 'Signature signer = Signature.getInstance("SHA384withRSA"); signer.update(bytes);',
    'hash.sha512': 'Signature signer = Signature.getInstance("SHA512withRSA"); signer.update(bytes);',
    'hash.missing': 'Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding"); cipher.doFinal(bytes);',
    'hash.double': 'Signature signer = Signature.getInstance("SHA256withRSA"); signer.update(sha256(bytes));',
    'hash.hex_text':
      'Signature signer = Signature.getInstance("SHA256withRSA"); signer.update(hex(sha256(bytes)).getBytes());',
    'hash.base64_text':
      'Signature signer = Signature.getInstance("SHA256withRSA"); signer.update(base64(sha256(bytes)).getBytes());',
    'string.separator': 'String text = String.join(%actual%, reference, amount, country, serviceCode);',
    'string.order': 'String text = String.join("", fields.values());',
    'string.field_missing': 'String text = reference + amount + serviceCode;',
    'string.field_extra': 'String text = reference + amount + currency + country + serviceCode;',
    'string.quoted':
      'String text = mapper.writeValueAsString(List.of(reference, amount, country, serviceCode));',
    'string.case': 'String text = (reference + amount + country + serviceCode).toUpperCase();',
    'string.white_space': 'String text = (reference + " " + amount + country + serviceCode).trim();',
    'string.line_end': 'String text = reference + amount + country + serviceCode + System.lineSeparator();',
    'string.bom': 'byte[] bytes = ("\\uFEFF" + text).getBytes(StandardCharsets.UTF_8);',
    'string.charset': 'byte[] bytes = text.getBytes(StandardCharsets.UTF_16);',
    'string.whole_body': 'String text = mapper.writeValueAsString(body);',
    'string.other_reference': 'String reference = previous.at("/transaction/reference").asText();',
    'number.format': 'String amount = formatted(body.at("/transaction/amount")); // %actual%',
    'country.form': 'String country = %actual%;',
  },
};
