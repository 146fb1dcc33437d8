import type { LanguageAdvice } from './code-topics';

/** What to change in Go code. */
export const goAdvice: LanguageAdvice = {
  label: 'Go',
  syntax: 'go',
  right: {
    join: 'text := reference + amount + country + serviceCode',
    reference: 'reference := body.Transaction.Reference',
    amount: 'amount := body.Transaction.Amount.String() // json.Number keeps the literal',
    country: 'country := body.Originator.Country',
    bytes: 'data := []byte(text)',
    key: 'key := loadKey(os.Getenv("SIGNING_KEY_FILE")) // the key of this environment',
    sign: 'digest := sha256.Sum256([]byte(text)); signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])',
    encode: 'value := base64.StdEncoding.EncodeToString(signature)',
    header: 'request.Header.Set("X-Custom-Signature", value)',
  },
  wrong: {
    'encoding.url_safe': 'value := base64.URLEncoding.EncodeToString(signature)',
    'encoding.hex': 'value := hex.EncodeToString(signature)',
    'encoding.wrapped':
      'value := string(pem.EncodeToMemory(&pem.Block{Type: "SIGNATURE", Bytes: signature}))',
    'encoding.double':
      'value := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(signature)))',
    'encoding.header_name': 'request.Header.Set("X-Custom-Signature", "X-Custom-Signature: "+value)',
    'encoding.truncated': 'value := base64.RawStdEncoding.EncodeToString(signature)',
    'key.other': 'key := loadKey("old-key.pem")',
    'key.environment_swapped': 'key := loadKey("other-environment.pem")',
    'key.vault': 'key := loadKey("other-key.pem")',
    'padding.pss': 'signature, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)',
    'hash.md5':
      'digest := md5.Sum([]byte(text)); signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.MD5, digest[:])',
    'hash.sha1':
      'digest := sha1.Sum([]byte(text)); signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA1, digest[:])',
    'hash.sha384':
      'digest := sha512.Sum384([]byte(text)); signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA384, digest[:])',
    'hash.sha512':
      'digest := sha512.Sum512([]byte(text)); signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA512, digest[:])',
    'hash.missing': 'signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.Hash(0), []byte(text))',
    'hash.double': 'inner := sha256.Sum256([]byte(text)); digest := sha256.Sum256(inner[:])',
    'hash.hex_text':
      'inner := sha256.Sum256([]byte(text)); digest := sha256.Sum256([]byte(hex.EncodeToString(inner[:])))',
    'hash.base64_text':
      'inner := sha256.Sum256([]byte(text)); digest := sha256.Sum256([]byte(base64.StdEncoding.EncodeToString(inner[:])))',
    'string.separator': 'text := strings.Join([]string{reference, amount, country, serviceCode}, %actual%)',
    'string.order': 'text := ""; for _, value := range fields { text += value } // a map has no order',
    'string.field_missing': 'text := reference + amount + serviceCode',
    'string.field_extra': 'text := reference + amount + currency + country + serviceCode',
    'string.quoted': 'text := fmt.Sprintf("%q%s%q%q", reference, amount, country, serviceCode)',
    'string.case': 'text := strings.ToUpper(reference + amount + country + serviceCode)',
    'string.white_space': 'text := strings.TrimSpace(reference + " " + amount + country + serviceCode)',
    'string.line_end': 'text := fmt.Sprintln(reference + amount + country + serviceCode)',
    'string.bom': 'data := append([]byte{0xEF, 0xBB, 0xBF}, text...)',
    'string.charset': 'data := utf16Bytes(text)',
    'string.whole_body': 'text := string(must(json.Marshal(body)))',
    'string.other_reference': 'reference := previous.Transaction.Reference',
    'number.format': 'amount := formatted(body.Transaction.Amount) // %actual%',
    'country.form': 'country := %actual%',
  },
};
