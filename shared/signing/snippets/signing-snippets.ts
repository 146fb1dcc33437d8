import { findSignedFields } from '../signed-fields';
import { joinSignedFields } from '../string-to-sign';
import {
  writeCSharpLiteral,
  writeGoLiteral,
  writeJavaLiteral,
  writeKotlinLiteral,
  writeNodeLiteral,
  writePhpLiteral,
  writePrintfFormat,
  writePythonLiteral,
  writeRubyLiteral,
  type WriteLiteral,
} from './text-literals';

/** Languages that signing code is offered for, in the order of the tabs. */
export const SNIPPET_LANGUAGES = [
  'node',
  'python',
  'java',
  'php',
  'go',
  'csharp',
  'ruby',
  'kotlin',
  'openssl',
] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** The four values as they are signed: decoded text of strings, literals of numbers. */
export interface SnippetValues {
  readonly reference: string;
  readonly amount: string;
  readonly country: string;
  readonly serviceCode: string;
}

/** Signing code in one language. */
export interface Snippet {
  readonly language: SnippetLanguage;
  /** What the tab says. */
  readonly label: string;
  readonly fileName: string;
  /** A Monaco language id. */
  readonly syntax: string;
  readonly code: string;
}

interface SnippetTemplate {
  readonly label: string;
  readonly fileName: string;
  readonly syntax: string;
  readonly literal: WriteLiteral;
  /** `%reference%`, `%amount%`, `%country%`, `%service_code%` and `%key%` stand for literals. */
  readonly code: string;
}

const TEMPLATES: Readonly<Record<SnippetLanguage, SnippetTemplate>> = {
  node: {
    label: 'Node',
    fileName: 'sign.mjs',
    syntax: 'javascript',
    literal: writeNodeLiteral,
    code: `import { readFileSync } from 'node:fs';
import { sign } from 'node:crypto';

const reference = %reference%;
const amount = %amount%; // as it stands in the body
const country = %country%;
const serviceCode = %service_code%;

const text = reference + amount + country + serviceCode;
const privateKey = readFileSync(%key%);
const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
console.log(signature);
`,
  },
  python: {
    label: 'Python',
    fileName: 'sign.py',
    syntax: 'python',
    literal: writePythonLiteral,
    code: `import base64
import subprocess

reference = %reference%
amount = %amount%  # as it stands in the body
country = %country%
service_code = %service_code%

text = reference + amount + country + service_code
# With the package cryptography: key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
signature = subprocess.run(
    ["openssl", "dgst", "-sha256", "-sign", %key%],
    input=text.encode("utf-8"), stdout=subprocess.PIPE, check=True,
).stdout
print(base64.b64encode(signature).decode())
`,
  },
  java: {
    label: 'Java',
    fileName: 'Sign.java',
    syntax: 'java',
    literal: writeJavaLiteral,
    code: `import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

public class Sign {
  public static void main(String[] args) throws Exception {
    String reference = %reference%;
    String amount = %amount%; // as it stands in the body
    String country = %country%;
    String serviceCode = %service_code%;

    String text = reference + amount + country + serviceCode;
    String pem = Files.readString(Path.of(%key%)).replaceAll("-----[A-Z ]+-----|\\\\s", "");
    PrivateKey key = KeyFactory.getInstance("RSA")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(key);
    signer.update(text.getBytes(StandardCharsets.UTF_8));
    System.out.println(Base64.getEncoder().encodeToString(signer.sign()));
  }
}
`,
  },
  php: {
    label: 'PHP',
    fileName: 'sign.php',
    syntax: 'php',
    literal: writePhpLiteral,
    code: `<?php
$reference = %reference%;
$amount = %amount%; // as it stands in the body
$country = %country%;
$serviceCode = %service_code%;

$text = $reference . $amount . $country . $serviceCode;
$privateKey = openssl_pkey_get_private(file_get_contents(%key%));
openssl_sign($text, $signature, $privateKey, OPENSSL_ALGO_SHA256);
echo base64_encode($signature), PHP_EOL;
`,
  },
  go: {
    label: 'Go',
    fileName: 'sign.go',
    syntax: 'go',
    literal: writeGoLiteral,
    code: `package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
)

func main() {
	reference := %reference%
	amount := %amount% // as it stands in the body
	country := %country%
	serviceCode := %service_code%

	text := reference + amount + country + serviceCode
	file, err := os.ReadFile(%key%)
	if err != nil {
		panic(err)
	}
	block, _ := pem.Decode(file)
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	if err != nil {
		panic(err)
	}
	fmt.Println(base64.StdEncoding.EncodeToString(signature))
}
`,
  },
  csharp: {
    label: 'C#',
    fileName: 'Program.cs',
    syntax: 'csharp',
    literal: writeCSharpLiteral,
    code: `using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

var reference = %reference%;
var amount = %amount%; // as it stands in the body
var country = %country%;
var serviceCode = %service_code%;

var text = reference + amount + country + serviceCode;
using var key = RSA.Create();
key.ImportFromPem(File.ReadAllText(%key%));
var signature = key.SignData(Encoding.UTF8.GetBytes(text), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
Console.WriteLine(Convert.ToBase64String(signature));
`,
  },
  ruby: {
    label: 'Ruby',
    fileName: 'sign.rb',
    syntax: 'ruby',
    literal: writeRubyLiteral,
    code: `# encoding: utf-8
require 'base64'
require 'openssl'

reference = %reference%
amount = %amount% # as it stands in the body
country = %country%
service_code = %service_code%

text = reference + amount + country + service_code
key = OpenSSL::PKey.read(File.read(%key%))
puts Base64.strict_encode64(key.sign('SHA256', text))
`,
  },
  kotlin: {
    label: 'Kotlin',
    fileName: 'Sign.kt',
    syntax: 'kotlin',
    literal: writeKotlinLiteral,
    code: `import java.io.File
import java.security.KeyFactory
import java.security.Signature
import java.security.spec.PKCS8EncodedKeySpec
import java.util.Base64

fun main() {
    val reference = %reference%
    val amount = %amount% // as it stands in the body
    val country = %country%
    val serviceCode = %service_code%

    val text = reference + amount + country + serviceCode
    val pem = File(%key%).readText().replace(Regex("-----[A-Z ]+-----|\\\\s"), "")
    val key = KeyFactory.getInstance("RSA")
        .generatePrivate(PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)))
    val signer = Signature.getInstance("SHA256withRSA")
    signer.initSign(key)
    signer.update(text.toByteArray(Charsets.UTF_8))
    println(Base64.getEncoder().encodeToString(signer.sign()))
}
`,
  },
  openssl: {
    label: 'openssl',
    fileName: 'sign.sh',
    syntax: 'shell',
    literal: writePrintfFormat,
    code: `#!/usr/bin/env bash
set -euo pipefail

# reference, amount, country and service code, each as it stands in the body (%% is a percent sign)
{
  printf -- %reference%
  printf -- %amount%
  printf -- %country%
  printf -- %service_code%
} | openssl dgst -sha256 -sign %key% | openssl base64 -A
echo
`,
  },
};

/**
 * Writes signing code with a request's own values, ready to run.
 *
 * @param keyPath - file of the private key (PKCS#8 PEM) as the code names it
 * @source payments-service-interface, part 5.5
 */
export function writeSnippet(
  language: SnippetLanguage,
  values: SnippetValues,
  keyPath = 'private-key.pem',
): Snippet {
  const { label, fileName, syntax, literal, code } = TEMPLATES[language];
  const literals: Readonly<Record<string, string>> = {
    reference: literal(values.reference),
    amount: literal(values.amount),
    country: literal(values.country),
    service_code: literal(values.serviceCode),
    key: language === 'openssl' ? quoteForShell(keyPath) : literal(keyPath),
  };
  const filled = code.replace(
    /%(reference|amount|country|service_code|key)%/g,
    (_, name: string) => literals[name]!,
  );
  return { language, label, fileName, syntax, code: filled };
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Reads the values for signing code from a body.
 *
 * @throws {AppError} as `readStringToSign`
 */
export function readSnippetValues(body: string): SnippetValues {
  const finder = findSignedFields(body);
  joinSignedFields(finder);
  return {
    reference: finder.valueOf(0),
    amount: finder.valueOf(1),
    country: finder.valueOf(2),
    serviceCode: finder.valueOf(3),
  };
}
