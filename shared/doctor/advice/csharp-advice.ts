import type { LanguageAdvice } from './code-topics';

/** What to change in C# code. */
export const csharpAdvice: LanguageAdvice = {
  label: 'C#',
  syntax: 'csharp',
  right: {
    join: 'var text = $"{reference}{amount}{country}{serviceCode}";',
    reference: 'var reference = body.GetProperty("transaction").GetProperty("reference").GetString();',
    amount: 'var amount = body.GetProperty("transaction").GetProperty("amount").GetRawText();',
    country: 'var country = body.GetProperty("originator").GetProperty("country").GetString();',
    bytes: 'var bytes = new UTF8Encoding(false).GetBytes(text);',
    key: 'key.ImportFromPem(File.ReadAllText(Environment.GetEnvironmentVariable("SIGNING_KEY_FILE")));',
    sign: 'var signature = key.SignData(bytes, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);',
    encode: 'var value = Convert.ToBase64String(signature);',
    header: 'request.Headers.Add("X-Custom-Signature", value);',
  },
  wrong: {
    'encoding.url_safe': 'var value = Base64Url.EncodeToString(signature);',
    'encoding.hex': 'var value = Convert.ToHexString(signature);',
    'encoding.wrapped':
      'var value = Convert.ToBase64String(signature, Base64FormattingOptions.InsertLineBreaks);',
    'encoding.double':
      'var value = Convert.ToBase64String(Encoding.ASCII.GetBytes(Convert.ToBase64String(signature)));',
    'encoding.header_name': 'request.Headers.Add("X-Custom-Signature", $"X-Custom-Signature: {value}");',
    'encoding.truncated': "var value = Convert.ToBase64String(signature).TrimEnd('=');",
    'key.other': 'key.ImportFromPem(File.ReadAllText("old-key.pem"));',
    'key.environment_swapped': 'key.ImportFromPem(File.ReadAllText("other-environment.pem"));',
    'key.vault': 'key.ImportFromPem(File.ReadAllText("other-key.pem"));',
    'padding.pss': 'var signature = key.SignData(bytes, HashAlgorithmName.SHA256, RSASignaturePadding.Pss);',
    'hash.md5': 'var signature = key.SignData(bytes, HashAlgorithmName.MD5, RSASignaturePadding.Pkcs1);',
    'hash.sha1': 'var signature = key.SignData(bytes, HashAlgorithmName.SHA1, RSASignaturePadding.Pkcs1);',
    'hash.sha384':
      'var signature = key.SignData(bytes, HashAlgorithmName.SHA384, RSASignaturePadding.Pkcs1);',
    'hash.sha512':
      'var signature = key.SignData(bytes, HashAlgorithmName.SHA512, RSASignaturePadding.Pkcs1);',
    'hash.missing': 'var signature = PadAndEncryptWithPrivateKey(bytes);',
    'hash.double':
      'var signature = key.SignData(SHA256.HashData(bytes), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);',
    'hash.hex_text':
      'var signature = key.SignData(Encoding.ASCII.GetBytes(Convert.ToHexString(SHA256.HashData(bytes))), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);',
    'hash.base64_text':
      'var signature = key.SignData(Encoding.ASCII.GetBytes(Convert.ToBase64String(SHA256.HashData(bytes))), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);',
    'string.separator': 'var text = string.Join(%actual%, reference, amount, country, serviceCode);',
    'string.order': 'var text = string.Concat(fields.Values);',
    'string.field_missing': 'var text = $"{reference}{amount}{serviceCode}";',
    'string.field_extra': 'var text = $"{reference}{amount}{currency}{country}{serviceCode}";',
    'string.quoted':
      'var text = JsonSerializer.Serialize(new[] { reference, amount, country, serviceCode });',
    'string.case': 'var text = $"{reference}{amount}{country}{serviceCode}".ToUpperInvariant();',
    'string.white_space': 'var text = $"{reference} {amount}{country}{serviceCode}".Trim();',
    'string.line_end': 'var text = $"{reference}{amount}{country}{serviceCode}{Environment.NewLine}";',
    'string.bom': 'var bytes = Encoding.UTF8.GetPreamble().Concat(Encoding.UTF8.GetBytes(text)).ToArray();',
    'string.charset': 'var bytes = Encoding.Unicode.GetBytes(text);',
    'string.whole_body': 'var text = JsonSerializer.Serialize(body);',
    'string.other_reference':
      'var reference = previous.GetProperty("transaction").GetProperty("reference").GetString();',
    'number.format':
      'var amount = Formatted(body.GetProperty("transaction").GetProperty("amount")); // %actual%',
    'country.form': 'var country = %actual%;',
  },
};
