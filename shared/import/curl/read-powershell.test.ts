import { describe, expect, it } from 'vitest';
import { readPowershell, splitPowershell } from './read-powershell';

const u = 'https://a.example/pay';

/** What leaves of each call of a script, and what is said of it. */
const read = (text: string) =>
  readPowershell(text).requests.map(({ method, url, headers, body, notes }) => ({
    sent: [
      `${method} ${url}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === null ? [] : [body.parts.join('')]),
    ],
    notes,
  }));
const sentOf = (text: string): string[][] => read(text).map(({ sent }) => sent);
const notesOf = (text: string): string[] => read(text).flatMap(({ notes }) => notes);
/** The address of the one call of a script. */
const addressOf = (text: string): string => {
  const [only, ...others] = read(text);
  expect(others).toEqual([]);
  return only!.sent[0]!.replace('GET ', '');
};
/** What a value is, as a body has it. */
const valueOf = (value: string, before = ''): string | undefined =>
  read(`${before}\nirm ${u} -Method Post -ContentType text/plain -Body ${value}`)[0]!.sent[2];

const form = 'Content-Type: application/x-www-form-urlencoded';
const unknown =
  'What only running the script would tell is not known here: give {{output}} a value in its place.';

describe('calls', () => {
  it.each([
    [`irm ${u}`],
    [`iwr ${u}`],
    [`IWR ${u}`],
    [`Invoke-WebRequest ${u}`],
    [`invoke-restmethod -Uri ${u}`],
    [`wget ${u}`],
    [`irm -uri:${u}`],
    [`irm '${u}'`],
    [`irm "${u}"`],
    [`irm \`\n  ${u}`],
    [`irm \`\r\n  -Uri \`\r\n  ${u}`],
    [`$r = irm ${u}`],
    [`$irm=irm ${u}`],
    [`$script:answer = irm ${u}`],
    [`$a.b = irm ${u}`],
    [`$token = (irm ${u}).access_token`],
    [`$token = ( irm -Uri ${u} -Method GET ).access_token`],
    [`$r = [xml](irm ${u})`],
    [`(irm ${u}).Content`],
    [`try { $r = irm ${u} } catch { Write-Host $_ }`],
    [`try {\n  irm ${u}\n} catch {}`],
    [`foreach ($one in 1..3) { irm ${u} }`],
    [`if ($x) {irm ${u}}`],
    [`Get-Item x | irm ${u}`],
    [`Write-Host hello; irm ${u}`],
    [`irm ${u} | ConvertTo-Json`],
    [`irm ${u} # irm ${u}/none`],
    [`# irm ${u}/none\nirm ${u}`],
    [`<#\nirm ${u}/none\n#> irm ${u}`],
    [`<# one #><# two #>irm ${u} <# three`],
    [`irm-my ${u}/none\nirm ${u}`],
    [`iwrite ${u}/none\nirm ${u}`],
    [`my-irm ${u}/none\nirm ${u}`],
    [`Write-Host "irm ${u}/none"\nirm ${u}`],
    [`irm ${u} ,`],
    [`irm ${u} )`],
    [`irm ${u} other`],
    [`irm ${u} @missing`],
    [`irm ${u} -UseBasicParsing`],
    [`irm -UseBasicParsing ${u}`],
    [`irm -PassThru:$false ${u}`],
    [`irm -SessionVariable kept ${u}`],
    [`irm -Verbose -TimeoutSec 5 ${u} -OutFile x.json`],
  ])('of %j is one', (text) => {
    expect(read(text)).toEqual([{ sent: [`GET ${u}`], notes: [] }]);
  });

  it.each([[''], ['\n'], ['Write-Host irm'], ['$x = 1'], ['# irm x'], ['$'], ['wget-it x']])(
    'are none in %j',
    (text) => {
      expect(read(text)).toEqual([]);
    },
  );

  it('are several, one a statement', () => {
    expect(sentOf(`irm ${u}/1; irm ${u}/2\nirm ${u}/3 | % { irm ${u}/4 }`)).toEqual(
      [1, 2, 3, 4].map((one) => [`GET ${u}/${one}`]),
    );
  });

  it('are refused where there are more than an import may have', () => {
    expect(() => readPowershell('irm x\n'.repeat(20_001))).toThrow('more than 20000 requests');
  });

  it.each([
    [`-Method Post`, [`Post ${u}`]],
    [`-Method "PUT"`, [`PUT ${u}`]],
    [`-CustomMethod PATCH`, [`PATCH ${u}`]],
    [`-Method '' -CustomMethod PATCH`, [`PATCH ${u}`]],
    [`-Method (Get-Method)`, [`GET ${u}`]],
    [`-ContentType text/csv`, [`GET ${u}`, 'Content-Type: text/csv']],
    [`-UserAgent 'me 1'`, [`GET ${u}`, 'User-Agent: me 1']],
    [`-Headers @{ A = 'b'; C = 1.50 }`, [`GET ${u}`, 'A: b', 'C: 1.50']],
    [`-Headers:@{A='b'}`, [`GET ${u}`, 'A: b']],
    [`-Method Post -Body 'a=1'`, [`Post ${u}`, form, 'a=1']],
    [`-Method Post -Body 'a' -ContentType text/plain`, [`Post ${u}`, 'Content-Type: text/plain', 'a']],
    [`-Method Post -Body x -Headers @{'content-type'='a/b'}`, [`Post ${u}`, 'content-type: a/b', 'x']],
    [`-ContentType a/b -Headers @{'content-type'='c/d'}`, [`GET ${u}`, 'Content-Type: a/b']],
    [`-UserAgent me -Headers @{'user-agent'='you'; A='b'}`, [`GET ${u}`, 'A: b', 'User-Agent: me']],
    [`-Method Post -Body ''`, [`Post ${u}`]],
    [`-Method Post -Body @{ 'a b' = 'c&d'; e = $f }`, [`Post ${u}`, form, 'a%20b=c%26d&e={{f}}']],
  ])('have what %s says', (parameters, sent) => {
    expect(read(`irm ${u} ${parameters}`)).toEqual([{ sent, notes: [] }]);
  });

  it('that get have the pairs of their body in the address', () => {
    expect(sentOf(`irm '${u}?z=1' -Body @{ q = 'x y'; r = 2 }`)).toEqual([[`GET ${u}?z=1&q=x%20y&r=2`]]);
    expect(sentOf(`irm ${u} -Method get -Body @{ q = 1 }`)).toEqual([[`get ${u}?q=1`]]);
  });

  it.each([
    ['-Proxy http://p', 'The parameter -proxy is not taken over.'],
    ['-Form @{ a = 1 }', 'The parameter -form is not taken over.'],
    ['-SkipCertificateCheck', 'The parameter -skipcertificatecheck is not taken over.'],
    ['-Odd -Verbose', 'The parameter -odd is not taken over.'],
    ['-Odd', 'The parameter -odd is not taken over.'],
    ['-Headers (Get-Headers)', 'Its headers come from what only running the script would tell: put them in.'],
    ['-Headers $kept', 'Its headers come from what only running the script would tell: put them in.'],
    [
      '-Body ($x | ConvertTo-Json)',
      'Its body is made by a part of the script that is not run: put the body in.',
    ],
    [
      '-Body (Get-Content a.json)',
      'Its body is made by a part of the script that is not run: put the body in.',
    ],
    ['-Headers @{ A = Get-Date }', unknown],
    ['-UserAgent (Get-Agent)', unknown],
  ])('say of %s that it is not taken over', (parameters, note) => {
    expect(read(`irm ${u} ${parameters}`)).toMatchObject([
      {
        sent: [`GET ${u}`, ...(note === unknown ? [expect.stringMatching(/: \{\{output\}\}$/)] : [])],
        notes: [note],
      },
    ]);
  });

  it('keep their place where only running the script would tell their address', () => {
    expect(read('irm (Get-Address) -Method Put')).toEqual([{ sent: ['Put {{output}}'], notes: [unknown] }]);
  });
});

describe('what a script sets', () => {
  it.each([
    [`$u = '${u}'`, '$u', u],
    [`$U='${u}'`, '$u', u],
    [`\${u} = "${u}"`, '${U}', u],
    [`$script:u = '${u}'`, '$u', u],
    [`$env:PAY = '${u}'`, '$env:PAY', u],
    [`$env:PAY = '${u}'`, '"$env:PAY"', u],
    [`$env:PAY = '${u}'`, '$pay', '{{pay}}'],
    [`$u = 'https://a.example'`, '$u/pay', u],
    [`$u = 'https://a.example'`, '"$u/pay"', u],
    [`$u = 'https://a.example'`, '"${u}/pay"', u],
    [`$u = 'a.example'`, 'https://$u/pay', u],
    [`$u = 'a.example'`, 'https://${u}/pay', u],
    [`$u = "https://a" + '.example' + "/pay"`, '$u', u],
    [`$u = 'https://a.example'\n$u += '/pay'`, '$u', u],
    [`$u = 'https://a.example'`, '($u + "/pay")', u],
    [`$u = 'https://a.example'`, `( $u +\n"/pay"\n)`, u],
    [`$c = @{ Url = '${u}' }`, '$c.url', u],
    [`$c = @{ Url = '${u}' }`, '$c["Url"]', u],
    [`$c = @{ Url = '${u}' }`, "$c[ 'url' ]", u],
    [`$c = @{ Url = '${u}' }`, '"$($c.url)"', u],
    [`$c = @{ on = @{ live = '${u}' } }`, '$c.on.live', u],
    [`$c = [ordered]@{}\n$c.url = '${u}'`, '$c.url', u],
    [`$c = @{}\n$c["my url"] = '${u}'`, '$c["my url"]', u],
    [`$c = @{}\n$c[ 'u' ]  = '${u}'`, '$c.u', u],
    [`$c.'u' = '${u}'`, '$c.u', u],
    [`$c = New-Object Hashtable\n$c.Add("u", '${u}')`, '$c.u', u],
    [`$c = @{ a = 1 } + 2\n$c.u = '${u}'`, '$c.u', u],
    [`$c = @{ a = 1 }\n$c += @{ u = '${u}' }`, '"$($c.u)?a=$($c.a)"', `${u}?a=1`],
    [`$c = 'x'\n$c.u = '${u}'`, '$c.u', u],
    ['', '$u', '{{u}}'],
    ['', '$env:PAY_URL', '{{PAY_URL}}'],
    ['', '"${env:PAY_URL}/a"', '{{PAY_URL}}/a'],
    ['', '$script:u', '{{u}}'],
    ['', '"$using:u"', '{{u}}'],
    ['', '$answer.links.self', '{{answer_links_self}}'],
    ['', '$answer[0].url', '{{answer_0_url}}'],
    ['', '"https://a.example/$($answer.id)/x"', 'https://a.example/{{answer_id}}/x'],
    ['', '"https://a.example/$answer.id"', 'https://a.example/{{answer}}.id'],
    ['', 'https://$one.$two/$3', 'https://{{one}}.{{two}}/$3'],
    ['', '$u.Trim()', '{{u}}'],
    ['', '$env:U.Replace("a", "b")', '{{U}}'],
    [`$u = 'x' -replace 'x', 'y'`, '$u', '{{u}}'],
    [`$u = Get-Content "url.txt"`, '$u', '{{u}}'],
    [`$u = $x | Select-Object -First 1`, '$u', '{{u}}'],
    [`$u = 'a', 'b'`, '$u', '{{u}}'],
    [`$u = @('a')`, '$u', '{{u}}'],
    [`$u = [guid]::NewGuid()`, '$u', '{{u}}'],
    [`$u = [guid]::NewGuid().ToString()`, '$u', '{{u}}'],
    [`$u = 1 + 2`, '$u', '{{u}}'],
    [`$u = 10 * 2`, '$u', '{{u}}'],
    [`$u = $x + (Get-Date)`, '$u', '{{u}}'],
    [`$u = 'a'\n$u += Get-Date`, '$u', '{{u}}'],
    [`$u = 'a'\n$u += @{}`, '$u', '{{u}}'],
    [`$u = @{}\n$u += 'a'`, '$u', '{{u}}'],
    [`$u = -not $x`, '$u', '{{u}}'],
    [`$u = 'a'.ToUpper()`, '$u', '{{u}}'],
    [`$u = [string]'a'`, '$u', 'a'],
    [`$u = [int] 5`, '$u', '5'],
    [`$u = -5`, '$u', '-5'],
  ])('counts: %j gives %s as %s', (before, given, address) => {
    expect(addressOf(`${before}\nirm ${given}`)).toBe(address);
  });

  it('may be the parameters of a call, and its headers', () => {
    const script = [
      `$call = @{`,
      `  Uri = '${u}'; Method = "Put" # the same again`,
      `  Headers = @{ "A"='b'`,
      `    C = "d" }`,
      `  Body = 'x'`,
      `}`,
      `$call.Headers.E = 'lost'`,
      `$call.ContentType = 'text/plain'`,
      `Invoke-RestMethod @Call -UserAgent me`,
    ];
    expect(sentOf(script.join('\n'))).toEqual([
      [`Put ${u}`, 'A: b', 'C: d', 'Content-Type: text/plain', 'User-Agent: me', 'x'],
    ]);
  });

  it('is read as Postman writes it', () => {
    const script = [
      '$headers = New-Object "System.Collections.Generic.Dictionary[[String],[String]]"',
      '$headers.Add("Content-Type", "application/json")',
      '$headers.Add( "Authorization" , "Bearer " + $token )',
      '',
      '$body = @"',
      '{',
      '  `"amount`": 10.50, `"note`": `"costs `$5, ""all`"`',
      '}',
      '"@',
      '',
      `$response = Invoke-RestMethod '${u}' -Method 'POST' -Headers $headers -Body $body`,
      '$response | ConvertTo-Json',
    ];
    for (const feed of ['\n', '\r\n']) {
      expect(read(script.join(feed))).toEqual([
        {
          sent: [
            `POST ${u}`,
            'Content-Type: application/json',
            'Authorization: Bearer {{token}}',
            ['{', '  "amount": 10.50, "note": "costs $5, ""all"', '}'].join(feed),
          ],
          notes: [],
        },
      ]);
    }
  });

  it('are cookies and the agent of a session', () => {
    const script = [
      '$s = New-Object Microsoft.PowerShell.Commands.WebRequestSession',
      '$s.UserAgent = "me"',
      '$s.Cookies.Add((New-Object System.Net.Cookie("a", "1", "/", "a.example")))',
      "$s.Cookies.Add((New-Object System.Net.Cookie( 'b','2')))",
      '$s.Cookies.Add((New-Object System.Net.Cookie("c", (Get-C))))',
    ].join('\n');
    expect(read(`${script}\nirm ${u} -WebSession $s`)).toEqual([
      { sent: [`GET ${u}`, 'User-Agent: me', 'Cookie: a=1; b=2; c={{output}}'], notes: [unknown] },
    ]);
    expect(sentOf(`${script}\nirm ${u} -WebSession $s -UserAgent you -Headers @{ cookie = 'd=4' }`)).toEqual([
      [`GET ${u}`, 'cookie: d=4', 'User-Agent: you'],
    ]);
    expect(sentOf(`irm ${u} -WebSession $other`)).toEqual([[`GET ${u}`]]);
    expect(sentOf(`$s = @{ Other = 'x' }\nirm ${u} -WebSession $s`)).toEqual([[`GET ${u}`]]);
  });
});

describe('values', () => {
  it.each([
    [`'it''s $x'`, "it's $x"],
    [`'never closed`, 'never closed'],
    ['"a ""b"" `"c`" `n|`t|`r|`0|``|`$d|`q"', 'a "b" "c" \n|\t|\r|\0|`|$d|q'],
    ['"`a`b`f`v`e"', '\x07\b\f\v\x1b'],
    ['"`u{e9}`u{1F600}`u{110000}"', 'é😀u{110000}'],
    ['"$([char]0xe9)$([char] 66)$([CHAR]67)"', 'éBC'],
    ['"never closed', 'never closed'],
    ['"a`', 'a'],
    ['"5$ $1 $"', '5$ $1 $'],
    ['"$(Get-Date -Format "yyyy") b"', '{{output}} b'],
    [`"$(Get-X ')' (1) "\`")") b"`, '{{output}} b'],
    ['"$(Get-X', '{{output}}'],
    ['"$($a; $b) c"', '{{output}} c'],
    ['"$(1)"', '1'],
    ['"$(@{})"', '{{output}}'],
    ['"$true $false$null"', 'True False'],
    ['$TRUE', 'True'],
    [`@'\n$a \`n\n'b'\n'@`, "$a `n\n'b'"],
    [`@"  \n$a \`"b\`" "c"\n"@`, '{{a}} "b" "c"'],
    [`@"\na\n b"@\n"@`, 'a\n b"@'],
    [`@"\r\na\r\n"@`, 'a'],
    [`@"\nnever closed`, 'never closed'],
    ["([System.Text.Encoding]::UTF8.GetBytes('a'))", 'a'],
    ["([Text.Encoding]::utf8.getbytes('a'))", 'a'],
    ["([System.Text.Encoding]::UTF8.GetBytes('a' + $b))", 'a{{b}}'],
    ["('a')", 'a'],
    ["(('a'))", 'a'],
    ['bare`"x', 'bare"x'],
    ['bare\'x y\'"$z"', 'barex y{{z}}'],
    ['{{name}}', '{{name}}'],
    ['a{b}(c)', 'a{b}(c)'],
    ['12.50', '12.50'],
    ['[string]$x', '{{x}}'],
    ['$x.count', '{{x_count}}'],
  ])('of %s is %j', (given, value) => {
    expect(valueOf(given)).toBe(value);
  });

  it.each([
    "([System.Text.Encoding]::ASCII.GetBytes('a'))",
    "('{0}/x' -f $a)",
    "('a' | Out-String)",
    "('a').Trim()",
    "(Get-Content 'x)y' | Out-String)",
    '(Get-X\n  -A "b)" |\n  Out-String)',
    '([guid]::NewGuid())',
    '@(1, 2)',
    '$a[$b]',
    '((((((((((((((((((((((1))))))))))))))))))))))',
  ])('of %s is not known', (given) => {
    expect(valueOf(given)).toBeUndefined();
    expect(notesOf(`irm ${u} -Method Post -Body ${given}`)).toEqual([
      'Its body is made by a part of the script that is not run: put the body in.',
    ]);
  });

  it.each([
    ['@{ a = 1; \'b c\' = 2\n "d$e" = 3 }', 'a=1&b%20c=2&d{{e}}=3'],
    ['@{ a=1;b=2}', 'a=1&b=2'],
    ['@{\n  a = "x"  # one\n  <# two #>\n\n  b = (\n "y" )\n}', 'a=x&b=y'],
    ['@{ a = @{ deep = 1 }; b = 2 }', 'a=&b=2'],
    ['@{ a = 1, 2; b = 3 }', 'a={{output}}&b=3'],
    ["@{ a = Get-Date -Format 'x;}'; b = 3 }", 'a={{output}}&b=3'],
    ['@{ a }', undefined],
    ['@{ a = 1', 'a=1'],
    ['[ordered]@{ a = 1 }', 'a=1'],
  ])('of a table, %j, are %j', (given, body) => {
    expect(valueOf(given)).toBe(body);
  });
});

describe('a call of curl', () => {
  it.each<[string, string[][]]>([
    ['curl.exe a b', [['curl.exe', 'a', 'b']]],
    ['curl.exe `\n -X `\r\n  PUT', [['curl.exe', '-X', 'PUT']]],
    ['curl.exe a`\n b', [['curl.exe', 'a', 'b']]],
    ['curl.exe \'a b\' "c $d" e\'f\'"g"', [['curl.exe', 'a b', 'c {{d}}', 'efg']]],
    [`curl.exe -d '{\\"a\\":1}'`, [['curl.exe', '-d', '{"a":1}']]],
    [
      'curl.exe a; curl.exe b | x\ncurl.exe c',
      [['curl.exe', 'a'], ['curl.exe', 'b'], ['x'], ['curl.exe', 'c']],
    ],
    ['& curl.exe a', [['curl.exe', 'a']]],
    [
      '$x = (curl.exe a)',
      [
        ['{{x}}', '='],
        ['curl.exe', 'a'],
      ],
    ],
    ['if (1) { curl.exe a }', [['if'], ['1'], ['curl.exe', 'a']]],
    ['curl.exe https://a/$x', [['curl.exe', 'https://a/{{x}}']]],
    ['curl.exe a`$b `', [['curl.exe', 'a$b', '']]],
    ['# curl.exe a', []],
    ['curl.exe\u00a0a `\n\u2028 -X\u200a\ufeffPUT \f', [['curl.exe', 'a', '-X', 'PUT']]],
    ['', []],
  ])('of %j has the words %j', (text, words) => {
    expect(splitPowershell(text).map((command) => command.words)).toEqual(words);
  });
});

describe('what a script sets to what only running it would tell', () => {
  const what = (name: string): string =>
    `What its script sets $${name} to is made by a part that is not run: give {{${name}}} a value.`;
  it.each([
    ['$body = @{ a = 1 } | ConvertTo-Json\nirm https://a/1 -Method Post -Body $body', [what('body')]],
    ['$id = [guid]::NewGuid()\n$url = "https://a/$id"\nirm $url', [what('id')]],
    ['$id = [guid]::NewGuid()\nirm https://a/1', []],
    ['$id = 7\nirm https://a/$id/$other', []],
  ])('is told of %j', (script, notes) => {
    expect(readPowershell(script).notes).toEqual(notes);
  });
});
