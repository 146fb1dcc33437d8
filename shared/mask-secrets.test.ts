import { describe, expect, it } from 'vitest';
import { findSecrets, maskHeaders, maskSecrets } from './mask-secrets';

const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln';
const SECRET = 's3cr3t-value-of-mine';
const MASKED = 's3cr…mine';

describe('maskSecrets', () => {
  it.each([
    ['JSON', `{"consumer_secret": "${SECRET}", "b": 1}`],
    ['JSON in a list', `[{"a":{"Password":"${SECRET}"}}]`],
    ['a name with escapes', `{"pass\\u0077ord":"${SECRET}"}`],
    ['a value with escapes', `{"password":"${SECRET}"}`],
    ['a query', `https://host/path?a=b&api_key=${SECRET}&c=d`],
    ['a query in JSON', `{"callback_url":"https://host/?access_token=${SECRET}"}`],
    ['a fragment', `https://host/#access_token=${SECRET}`],
    ['an encoded name', `https://host/?api%5Fkey=${SECRET}`],
    ['a form', `grant_type=x&client_secret=${SECRET}`],
    ['a form of one field', `password=${SECRET}`],
    ['an expectation', `header X-Api-Key == ${SECRET}`],
    ['an expectation in quotes', `body data.token == "${SECRET}"`],
    ['an expected part', `header X-Api-Key contains ${SECRET}`],
    ['a list of one that is expected', `body data.password[0] in ["${SECRET}"]`],
    ['an expected list in an answer to agents', JSON.stringify({ text: `body /a/pin/0 in ${SECRET}` })],
    ['an order that is expected', `body data.token >= ${SECRET}`],
    ['a part of a webhook', `@expect webhook within 10s [body token == ${SECRET}] [status == SUCCESS]`],
    ['a webhook without brackets', `webhook within 1 s status == OK body a == b body token in ${SECRET}`],
    ['a comparison of a script', `if (a.password !== '${SECRET}') return`],
    ['a comparison without blanks', `password!=${SECRET}`],
    ['an assignment of another kind', `api_key := ${SECRET}`],
    ['a line of a shell', `set -e\nexport API_KEY=${SECRET}\n`],
    ['a line of an .env file', `A=1\nCLIENT_SECRET="${SECRET}"\nB=2`],
    ['another quote', `PASSWORD='${SECRET}'`],
    ['a form with brackets', `user%5Bpassword%5D=${SECRET}&user[name]=x`],
    ['multipart', `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${SECRET}\r\n--b--`],
    ['XML', `<a:auth><ns:Password type="x">${SECRET}</ns:Password></a:auth>`],
    ['XML in CDATA', `<password>\n<![CDATA[${SECRET}]]></password>`],
    ['an attribute of XML', `<login user="a" password = '${SECRET}'/>`],
    ['a form with blanks', `a=b&pass+word=+${SECRET}&c=d`],
    ['a form with blanks as they are', `api_key \t=   ${SECRET}`],
    ['single quotes', `{'password' : '${SECRET}', 'b': 1}`],
    ['many blanks', `{"password"${' '.repeat(5000)}:${'\n'.repeat(5000)}"${SECRET}"}`],
    ['a list', `{"api_key": ["${SECRET}"], "b": ["x"], "passwords": ["${SECRET}"]}`],
    ['an object', `{"token": {"value" : "${SECRET}"}, "b": {"value": "x"}}`],
    ['a value in quotes cut off', `password: "${SECRET}`],
    ['a value in quotes cut off in its last line', `{ok: "x",\n password: '${SECRET}`],
    ['an object cut off', `{"token": {"value" : "${SECRET}"`],
    ['JSON in JSON', `{"log":${JSON.stringify(`{"a":{"api_key":"${SECRET}"}}`)},"b":"1.00"}`],
    [
      'JSON in JSON in a list',
      `[${JSON.stringify(JSON.stringify({ inner: JSON.stringify({ token: SECRET }) }))}]`,
    ],
    [
      'JSON in JSON with other escapes',
      `{"log":"{\\u0022token\\u0022:\\u0022${SECRET}\\u0022}"}`.replaceAll('\\\\', '\\'),
    ],
    ['JSON in JSON that was cut off', `{"log":"{\\"token\\":\\"${SECRET}\\",\\"b`.replaceAll('\\\\', '\\')],
    ['an escaped name in JSON in JSON', JSON.stringify({ log: `{"api\\u005fkey":"${SECRET}"}` })],
    ['JSON in a form', `payload=${encodeURIComponent(`{"api_key":"${SECRET}"}`)}&x=1`],
    ['an address in an address', `/x?next=${encodeURIComponent(`https://h/?access_token=${SECRET}`)}`],
    ['an address in an address as it is', `/x?next=https://h/?a=b%20&access_token=${SECRET}`],
    ['an address in an address, alone', `/x?next=https://h/?access_token=${SECRET}`],
    ['a form in JSON', `{"body":"api_key=${SECRET}"}`],
    ['Python in JSON', `{"log":"{'api_key': '${SECRET}'}"}`],
    [
      'a list of names and values',
      `[{"name":"Authorization","value":"Bearer ${SECRET}"},{"key":"a","value":"b"}]`,
    ],
    ['a head', `GET / HTTP/1.1\r\nX-Api-Key: ${SECRET}\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`],
    ['YAML', `user: me\npassword: ${SECRET}\n- token: ${SECRET}`],
    [
      'multipart with bare line feeds',
      `--b\nContent-Disposition: form-data; name=api_key\n\n${SECRET}\n--b--`,
    ],
    ['XML in XML', `<a>&lt;password&gt;${SECRET}&lt;/password&gt;</a>`],
    ['JSON in XML', `<a>{&quot;password&quot;:&quot;${SECRET}&quot;}</a>`],
    ['JSON in a form in JSON', JSON.stringify({ q: `data=${encodeURIComponent(`{"pin":"${SECRET}"}`)}` })],
    ['an address with a password', `https://me:${SECRET}@host/`],
    [
      'multipart with a file and its type',
      `--b\r\nContent-Disposition: form-data; name="api_key"; filename="x"\r\nContent-Type: text/plain\r\nX: y\r\n\r\n${SECRET}\r\n--b--`,
    ],
    ['a list of names and values with blanks', `[ { "name" : "token" , "value" : "Bearer  ${SECRET}" } ]`],
    ['the same without any', `[{"header":"api_key","value":"${SECRET}"}]`],
    ['the same over lines', `[{"key"\n :\n "api_key"\n ,\n "value"\n :\n "${SECRET}"}]`],
    ['YAML alone', `password: ${SECRET}`],
    ['YAML with blanks', `a:\n  - password \t:  \t${SECRET}`],
    ['a head with blanks', `Authorization  :   Bearer   ${SECRET}`],
    [
      'XML in CDATA with a prefix, attributes and blanks',
      `<ns1:password type="x" b='y'> \n<![CDATA[${SECRET}]]></ns1:password>`,
    ],
    ['XML in CDATA that was cut off', `<password><![CDATA[${SECRET}`],
    ['an attribute with a prefix', `<a ns1:password  =  "${SECRET}" b="c"/>`],
    ['an attribute right behind another', `<a x="y"\npassword="${SECRET}"/>`],
    ['single quotes and many blanks', `{'password':   '${SECRET}'}`],
    ['a name with blanks around it', `a=b&+api++key%20=${SECRET}`],
    ['an object in an object', `{"token":{"a":{"b":"${SECRET}"},"c":"${SECRET}"},"d":[1]}`],
    ['an object without blanks', `{"credential":{"user":"${SECRET}"},"b":"x"}`],
    ['what follows a text that ends with a backslash', `{"a":"x\\\\","token":"${SECRET}"}`],
    ['what follows a text with a quote in it', `{"a":"\\"","token":"${SECRET}","b":"\\\\\\""}`],
    ['a text that keeps its line break', `{"log":"a\n?token=${SECRET}"}`],
    ['a value before its name', `{"value":"${SECRET}","name":"api_key"}`],
    ['a value far from its name', `[{"name":"api_key","enabled":true,"value":"${SECRET}","type":"text"}]`],
    ['a name that tells what a value is', `{"type":"password","value":"${SECRET}","temporary":false}`],
    [
      'a name and a value that are called otherwise',
      `{"ParameterValue":"${SECRET}","ParameterKey":"DbPassword"}`,
    ],
    ['a value of a script before its name', `{value: '${SECRET}', name: 'api_key'}`],
    ['an object beside its name', `{"name":"api_key","value":{"a":["${SECRET}"]}}`],
    ['a pair that was cut off', `{"list":[{"name":"api_key","x":1,"value":"${SECRET}`],
    ['a pair behind an odd quote', `5" of rain {"value":"${SECRET}","name":"api_key"}`],
    ['a pair in a list', `["api_key","${SECRET}"]`],
    ['a list of pairs', `{"headers":[["Accept","a/b"],["X-Api-Key","${SECRET}"]]}`],
    ['names and values in turn', `["Host","h","Authorization","Bearer ${SECRET}","Accept","*/*"]`],
    ['tuples', `[('Accept', 'a'), ('api_key', '${SECRET}')]`],
    ['a pair with an escaped name', `["api\\u005fkey","${SECRET}"]`],
    [
      'arguments of a command',
      `["curl","-u","me:${SECRET}","-H","X-Api-Key: ${SECRET}","--token","${SECRET}"]`,
    ],
    ['the user of a curl', `Try: curl -sS -u me:${SECRET} https://host/ again`],
    ['the user of a curl in quotes', `curl --user "me:${SECRET}" https://host/`],
    ['the user of a curl alone', `curl -su 'me:${SECRET}'`],
    [
      'a header of a curl',
      `Try: curl -H 'X-Api-Key: ${SECRET}' -H "Authorization: Bearer ${SECRET}" https://host/`,
    ],
    ['a header of a curl without quotes', `curl -H X-Api-Key:${SECRET} https://host/`],
    ['a curl in JSON', `{"hint":"curl -u me:${SECRET} -H 'X-Api-Key: ${SECRET}' h"}`],
    ['options', `pay --password ${SECRET} --token=${SECRET} --name x`],
    ['a line of a log', `level=info user=x password=${SECRET} took=3`],
    ['an object as Java writes it', `Login {password=${SECRET} , user=x}`],
    ['an object as Go writes it', `{User:x Password:${SECRET} }`],
    ['arguments of GraphQL', `mutation { login(user: "a", password: "${SECRET}") { id } }`],
    ['a list of PHP and of Ruby', `['password' => '${SECRET}', :token => "${SECRET}", "pin"=>"${SECRET}"]`],
    ['a connection string', `AccountName=x;AccountKey=${SECRET};EndpointSuffix=y`],
    ['a signed address', `https://host/x?sv=1&sig=${SECRET}&se=2`],
    ['credentials', `{"credentials":{"key":"${SECRET}"},"name":"x"}`],
    ['a one-time password alone', `{"otp":"${SECRET}"}`],
    ['a tag whose attribute names it', `<add key="ApiKey" value="${SECRET}"/><add key="a" value="b"/>`],
    ['a tag with its value first', `<input type="text" value="${SECRET}" name="password">`],
    ['the content of such a tag', `<param name="password">${SECRET}</param>`],
    ['tags beside each other', `<key>api_key</key>\n<string>${SECRET}</string>`],
    ['a block of YAML', `api_key: |\n  ${SECRET}\nname: x`],
    ['a form behind a byte order mark', `x=%EF%BB%BF%7B%22token%22%3A%22${SECRET}%22%7D`],
  ])('masks %s, and nothing else', (_name, text) => {
    const masked = maskSecrets(text);
    const bare = text.replaceAll(SECRET, MASKED).replaceAll('\\u0022', '\\"');
    expect([masked, masked.replaceAll(encodeURIComponent('…'), '…')]).toContain(bare);
    expect(maskSecrets(masked)).not.toContain(SECRET);
  });

  it.each([
    ['an address whose slashes JSON escaped', String.raw`{"u":"https:\/\/me:SECRET@host"}`],
    ['an address whose signs JSON escaped', String.raw`{"u":"https://h/?a=1\u0026api_key\u003dSECRET"}`],
    ['JSON with a line break in a text', `{"log":"a\n{\\"password\\":\\"SECRET\\"}"}`],
    ['JSON with an escape that is none', String.raw`{"log":"\x{\"password\":\"SECRET\"}"}`],
    [
      'an escape beside one that is none',
      String.raw`{"log":"\x{\u0022p\u0061ssword\u0022:\u0022SECRET\u0022}"}`,
    ],
    ['JSON cut within an escape', String.raw`{"log":"{\u0022password\u0022:\u0022SECRET\u00`],
    ['a name with an escape that is none', String.raw`{"\xpassword":"SECRET"}`],
    ['a line in a text with an escape that is none', String.raw`{"log":"\x\nuser: me\npassword: SECRET"}`],
    ['brackets in a text', '{"token":{"a":"}]SECRET","b":"SECRET"},"c":"d"}'],
    ['an expected pattern', '# @expect body data.password not matches /x SECRET/i\nGET /'],
    ['a list that is expected', "body data.password in b, SECRET x, 'SECRET', {{b}}"],
    ['an expected value of several words', 'body data.token == an SECRET of SECRET'],
    ['a bullet within', '{"password":"SECRET•"}'],
    ['a password with an @', 'https://me:SECRET@SECRET@host/'],
    ['a form that was encoded twice', 'next=token%253DSECRET'],
    ['a passphrase of several words', 'PASSPHRASE="SECRET of SECRET"'],
    ['a passphrase in YAML', 'passphrase: SECRET horse'],
    ['a head in a text, behind a variable', 'Send this:\nX-Api-Key: {{who}}SECRET'],
    ['an argument of HTTPie, behind a variable', 'http h X-Api-Key:{{who}}SECRET'],
    ['an argument of HTTPie, behind two variables', 'http h X-Api-Key:{{who}}{{ where }}SECRET'],
    ['an argument of HTTPie, around a variable', 'http h X-Api-Key:SECRET{{who}}SECRET'],
    ['a passphrase in a curl', 'curl -u "me:SECRET of SECRET" h'],
    ['an object as Java writes it, without blanks', 'Login(user=x,password=SECRET)'],
    ['a pair as deep as nobody writes', `${'['.repeat(5000)}["api_key","SECRET"]`],
    ['a form that was encoded as a whole', 'api_key%3DSECRET'],
  ])('masks %s', (_name, text) => {
    expect(maskSecrets(text.replaceAll('SECRET', SECRET))).not.toContain(SECRET);
  });

  it('shows nothing of texts that are nested to deceive', () => {
    let text = JSON.stringify({ token: SECRET });
    for (let level = 0; level < 8; level++) text = JSON.stringify({ a: text });
    expect(maskSecrets(text)).not.toContain(SECRET);
  });

  it('looks into four texts within each other, and no deeper', () => {
    const nest = (levels: number, inner: string): string => {
      let text = inner;
      for (let level = 0; level < levels; level++) text = JSON.stringify({ a: text });
      return text;
    };
    const inner = JSON.stringify({ note: 'in sight', token: SECRET });
    expect(maskSecrets(nest(4, inner))).toContain('in sight');
    expect(maskSecrets(nest(5, inner))).not.toContain('in sight');
    // What holds no further text is no deception.
    expect(maskSecrets(nest(5, `note=in+sight&token=${SECRET}`))).toContain('note=in+sight&token=s3cr');
  });

  it.each([
    ['a=', 1],
    ['a:b=', 1],
    ['a: b=', 30],
    ['(a:b=', 24],
    ['a=', 2000],
    ['a: b=', 2000],
    ['[a:b=', 30_000],
  ])('reads names that are the values of names: %s, %d times', (unit, times) => {
    const before = `${unit.repeat(times)}c=`;
    expect(maskSecrets(`${before}note`)).toBe(`${before}note`);
    expect(maskSecrets(`${before}api_key=${SECRET}`).includes(SECRET)).toBe(false);
  });

  it.each(['?x=1=2=3=100%', '?x=%=%=%=', '?x=a=b=c=%%20', '?x=a=b=c=%252525253D', '?x=a=b=c={"n":"%C3%A9"}'])(
    'leaves percent signs behind names that are the values of names: %j',
    (text) => expect(maskSecrets(text)).toBe(text),
  );

  it.each(['%70in=', '%2570in%253D', '%25252570in='])('masks what they hide so deep: %j', (written) => {
    expect(maskSecrets(`?x=a=b=c=d=${written}${SECRET}`)).not.toContain(SECRET);
  });

  it.each(['a=', 'a:b=', 'a:b=c='])(
    'masks the value alone where few names are values of names: %s',
    (before) => {
      expect(maskSecrets(`${before}pin=${SECRET}`)).toBe(`${before}pin=${MASKED}`);
      expect(maskSecrets(`${before}pin={{pin}}`)).toBe(`${before}pin={{pin}}`);
    },
  );

  it('leaves what stands beside a secret, however it is nested', () => {
    expect(JSON.parse(maskSecrets(`{"token":{"a":"}]${SECRET}","b":["x"]},"c":"d"}`))).toMatchObject({
      c: 'd',
    });
    expect(JSON.parse(maskSecrets(`{"note":"x 'token':12345 y","c":"d"}`))).toEqual({
      note: `x 'token':"••••••••" y`,
      c: 'd',
    });
  });

  it('leaves JSON valid where the secret was a number', () => {
    expect(JSON.parse(maskSecrets('{"pwd": 123456, "token":-1.5e9,"c":2}'))).toMatchObject({ c: 2 });
    expect(maskSecrets('{"pwd": 123456}')).not.toContain('123');
  });

  it('masks a list of a hundred thousand as one', () => {
    const masked = maskSecrets(`{"pin": [${'1234,'.repeat(100_000)}1], "b": "x"}`);
    expect(JSON.parse(masked)).toEqual({ pin: '[123…4,1]', b: 'x' });
  });

  it.each([
    '{"token_type":"Bearer","expires_in":3600,"reference":"R-1","public_key":"abc","has_token":true}',
    'https://host/tokens?product=payout&keyId=1#top',
    '{"password":"{{password}}","token":""}',
    'token: {{token}}\npassword: {{ .Values.password | quote }} # from {{x}}\nhttp h token:{{token}} {pin:{{pin}}}',
    'a text about a password: none',
    '<Tokens>3</Tokens>',
    '{"log":"{\\"a\\":\\u00411,\\"key_id\\":\\"\\/x\\"}"}',
    'next=https%3A%2F%2fh%3Fproduct%3Dpayout+key',
    '<a>&lt;b&gt; &quot;token&quot; &amp; &#34;</a>',
    '{"log":"a: \\u00e9 = \\/ token"}',
    'Note: a token: none\nkeys: 3',
    '[{"name":"key_id","value":"a=b"}]',
    '{"required":["password","email"],"order":["pin","token","reference"]}',
    '[{"name":"pin"},{"value":"x"}]',
    '{"name":"pin","note":{"value":"x"}}',
    '[["token","password"],["a","b"]]',
    'curl -X POST https://host:8443/a -o file:x',
    '<input type="password" name="password"><b>x</b>',
  ])('leaves %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('takes a placeholder in place of the mask', () => {
    expect(maskSecrets('a=%7B%22token%22%3A%22abcdefghijkl%22%7D', () => '{{my.secret-1}}')).toBe(
      'a=%7B%22token%22%3A%22{{my.secret-1}}%22%7D',
    );
    expect(maskSecrets('a?token=abcdefghijklmnop', () => '{{secret}}')).toBe('a?token={{secret}}');
  });
});

it('finds what it would mask, in texts and headers, as it is written there', () => {
  expect(findSecrets(`{"a":"b","token":"${SECRET}","c":{"pin":1234}}`)).toEqual([SECRET, '1234']);
  expect(findSecrets('{"a":"b"}')).toEqual([]);
  expect(
    findSecrets('a=b&api_key=abc', [
      ['Authorization', `Bearer ${SECRET}`],
      ['Accept', '*/*'],
    ]),
  ).toEqual(['abc', SECRET]);
});

it('finds the value of a pair once', () => {
  expect(findSecrets(`[{"name":"api_key","value":"${SECRET}"},["pin","${SECRET}"]]`)).toEqual([
    SECRET,
    SECRET,
  ]);
});

it('masks no header twice, and none that is empty', () => {
  const masked: [string, string][] = [
    ['Authorization', 'Bearer eyJh…part'],
    ['Cookie', '••••••••'],
    ['X-Api-Key', ''],
    ['X-Token', '{{token}}'],
  ];
  expect(maskHeaders(masked)).toEqual(masked);
  expect(maskHeaders([[' Cookie ', `${SECRET}•`]])).toEqual([[' Cookie ', 's3cr…ine•']]);
});

it('masks headers by name, and within values', () => {
  expect(
    maskHeaders([
      ['Authorization', `Bearer ${SECRET}`],
      ['X-Auth-Token', SECRET],
      ['api-key', SECRET],
      ['Set-Cookie', `a=${SECRET}`],
      ['Location', `https://host/?token=${SECRET}`],
      ['X-Custom-Signature', SECRET],
      ['Password', '{{password}}'],
    ]),
  ).toEqual([
    ['Authorization', `Bearer ${MASKED}`],
    ['X-Auth-Token', MASKED],
    ['api-key', MASKED],
    ['Set-Cookie', 'a=s3…mine'],
    ['Location', `https://host/?token=${MASKED}`],
    ['X-Custom-Signature', SECRET],
    ['Password', '{{password}}'],
  ]);
});

it.each([
  ['X-Debug', 'got Bearer 7f3a9c21d4e5b6, expired', 'got Bearer ••••••••, expired'],
  ['Proxy-Authenticate', 'Basic YW1pbmE6cGFzcw==', 'Basic ••••••••'],
  ['X-Trace', `of ${JWT}; next`, 'of eyJh…c2ln; next'],
])('masks what is a token by its look in the header %s', (name, value, masked) => {
  expect(maskHeaders([[name, value]])).toEqual([[name, masked]]);
  expect(findSecrets('', [[name, value]])).toHaveLength(1);
});

it.each([
  'Bearer realm="payments", error="invalid_token"',
  'Bearer realm=payments2026',
  'Bearer authorization-required',
  'Basic 2025',
  'bearer',
])('leaves a challenge as it is: %s', (value) => {
  expect(maskHeaders([['WWW-Authenticate', value]])).toEqual([['WWW-Authenticate', value]]);
});

it.each([
  'payload=%7B%22client_secret%22%3A%22SECRET%22%7D%ZZ',
  'payload=%7B%22client_secret%22%3A%22SECRET%22%7D%',
  'payload=%ff%7B%22client_secret%22%3A%22SECRET%22%7D',
  'https://service.test/?p=%7B%22client_secret%22%3A%22SECRET%22%7D%2',
  'client%5Fsecret=SECRET&rest=50%',
])('masks what is percent-encoded also where a part of it is encoded wrongly: %s', (text) => {
  const secret = 'cs_0123456789abcdef';
  expect(maskSecrets(text.replace('SECRET', secret))).not.toContain(secret);
});
