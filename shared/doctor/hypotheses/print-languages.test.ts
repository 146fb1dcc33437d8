import { expect, it } from 'vitest';
import { readJsonTree } from '../../json/json-tree';
import { listPrinted } from './print-languages';

const body = String.raw`{"status":"SUCCESS","amount":1000.00,"n":[1,2.5,true,false,null,1e20,1e-7,123456789],"payer":"Zoë \"x\" 'y' #{z}\n\\","meta":{"a b":"c&d=é/~*","e":{},"f":[],"g-h":0.1,"i":-5,"big":1000000.5,"z":0.0}}`;

/** Printed by these programs themselves, of what their own JSON readers made of the body. */
const printed: readonly (readonly [source: string, how: string, text: string])[] = [
  ['Python 3.11, str(json.loads(body))', 'as Python prints a dict', String.raw`{'status': 'SUCCESS', 'amount': 1000.0, 'n': [1, 2.5, True, False, None, 1e+20, 1e-07, 123456789], 'payer': 'Zoë "x" \'y\' #{z}\n\\', 'meta': {'a b': 'c&d=é/~*', 'e': {}, 'f': [], 'g-h': 0.1, 'i': -5, 'big': 1000000.5, 'z': 0.0}}`],
  ['Ruby 3.1, JSON.parse(body).to_s', 'as Ruby prints a hash', String.raw`{"status"=>"SUCCESS", "amount"=>1000.0, "n"=>[1, 2.5, true, false, nil, 1.0e+20, 1.0e-07, 123456789], "payer"=>"Zoë \"x\" 'y' \#{z}\n\\", "meta"=>{"a b"=>"c&d=é/~*", "e"=>{}, "f"=>[], "g-h"=>0.1, "i"=>-5, "big"=>1000000.5, "z"=>0.0}}`],
  ['Ruby 3.1, of symbols', 'as Ruby prints a hash of symbols', String.raw`{:status=>"SUCCESS", :amount=>1000.0, :n=>[1, 2.5, true, false, nil, 1.0e+20, 1.0e-07, 123456789], :payer=>"Zoë \"x\" 'y' \#{z}\n\\", :meta=>{:"a b"=>"c&d=é/~*", :e=>{}, :f=>[], :"g-h"=>0.1, :i=>-5, :big=>1000000.5, :z=>0.0}}`],
  ['Go 1.19, fmt.Sprint of a map[string]any', 'as Go prints a map', `map[amount:1000 meta:map[a b:c&d=é/~* big:1.0000005e+06 e:map[] f:[] g-h:0.1 i:-5 z:0] n:[1 2.5 true false <nil> 1e+20 1e-07 1.23456789e+08] payer:Zoë "x" 'y' #{z}\n\\ status:SUCCESS]`],
  ['PHP 8.2, serialize(json_decode($body, true))', 'as PHP serialises an array', `a:5:{s:6:"status";s:7:"SUCCESS";s:6:"amount";d:1000;s:1:"n";a:8:{i:0;i:1;i:1;d:2.5;i:2;b:1;i:3;b:0;i:4;N;i:5;d:1.0E+20;i:6;d:1.0E-7;i:7;i:123456789;}s:5:"payer";s:19:"Zoë "x" 'y' #{z}\n\\";s:4:"meta";a:7:{s:3:"a b";s:9:"c&d=é/~*";s:1:"e";a:0:{}s:1:"f";a:0:{}s:3:"g-h";d:0.1;s:1:"i";i:-5;s:3:"big";d:1000000.5;s:1:"z";d:0;}}`],
  ['PHP 8.2, http_build_query(json_decode($body, true))', 'as the fields of a form', 'status=SUCCESS&amount=1000&n%5B0%5D=1&n%5B1%5D=2.5&n%5B2%5D=1&n%5B3%5D=0&n%5B5%5D=1.0E%2B20&n%5B6%5D=1.0E-7&n%5B7%5D=123456789&payer=Zo%C3%AB+%22x%22+%27y%27+%23%7Bz%7D%0A%5C&meta%5Ba+b%5D=c%26d%3D%C3%A9%2F%7E%2A&meta%5Bg-h%5D=0.1&meta%5Bi%5D=-5&meta%5Bbig%5D=1000000.5&meta%5Bz%5D=0'],
]; // prettier-ignore

it.each(printed)('writes what %s printed', (_source, how, text) => {
  expect(listPrinted(readJsonTree(body)!)).toContainEqual([text, how]);
});

it('writes as Java and newer Rubies print', () => {
  const tree = readJsonTree('{"a":1,"b":{"c":10000000.0,"d":null},"e":["f",0.0001]}')!;
  expect(listPrinted(tree)).toEqual(
    expect.arrayContaining([
      ['{a=1, b={c=1.0E7, d=null}, e=[f, 1.0E-4]}', 'as Java prints a map'],
      ['{a=1.0, b={c=1.0E7, d=null}, e=[f, 1.0E-4]}', 'as Java prints a map of doubles'],
      ['{"a" => 1, "b" => {"c" => 10000000.0, "d" => nil}, "e" => ["f", 0.0001]}', 'as Ruby prints a hash'],
      ['{a: 1, b: {c: 10000000.0, d: nil}, e: ["f", 0.0001]}', 'as Ruby prints a hash of symbols'],
    ]),
  );
});

/** Printed by these programs themselves, of the body without its line of powers. */
const plain = "{\"status\":\"SUCCESS\",\"amount\":1000.00,\"n\":[1,2.5,true,false,null],\"payer\":\"Zoë \\\"x\\\" 'y' #{z}\\\\\",\"meta\":{\"a b\":\"c&d=é/~*\",\"e\":{},\"f\":[],\"g-h\":0.1,\"i\":-5,\"big\":1000000.5,\"z\":0.0}}"; // prettier-ignore

it.each<[source: string, how: string, text: string]>([
  ["PHP 8.2, print_r of arrays", "as PHP's print_r prints an array", "Array\n(\n    [status] => SUCCESS\n    [amount] => 1000\n    [n] => Array\n        (\n            [0] => 1\n            [1] => 2.5\n            [2] => 1\n            [3] => \n            [4] => \n        )\n\n    [payer] => Zoë \"x\" 'y' #{z}\\\n    [meta] => Array\n        (\n            [a b] => c&d=é/~*\n            [e] => Array\n                (\n                )\n\n            [f] => Array\n                (\n                )\n\n            [g-h] => 0.1\n            [i] => -5\n            [big] => 1000000.5\n            [z] => 0\n        )\n\n)\n"],
  ["PHP 8.2, print_r of objects", "as PHP's print_r prints an object", "stdClass Object\n(\n    [status] => SUCCESS\n    [amount] => 1000\n    [n] => Array\n        (\n            [0] => 1\n            [1] => 2.5\n            [2] => 1\n            [3] => \n            [4] => \n        )\n\n    [payer] => Zoë \"x\" 'y' #{z}\\\n    [meta] => stdClass Object\n        (\n            [a b] => c&d=é/~*\n            [e] => stdClass Object\n                (\n                )\n\n            [f] => Array\n                (\n                )\n\n            [g-h] => 0.1\n            [i] => -5\n            [big] => 1000000.5\n            [z] => 0\n        )\n\n)\n"],
  ["PHP 8.2, var_export", "as PHP's var_export prints an array", "array (\n  'status' => 'SUCCESS',\n  'amount' => 1000.0,\n  'n' => \n  array (\n    0 => 1,\n    1 => 2.5,\n    2 => true,\n    3 => false,\n    4 => NULL,\n  ),\n  'payer' => 'Zoë \"x\" \\'y\\' #{z}\\\\',\n  'meta' => \n  array (\n    'a b' => 'c&d=é/~*',\n    'e' => \n    array (\n    ),\n    'f' => \n    array (\n    ),\n    'g-h' => 0.1,\n    'i' => -5,\n    'big' => 1000000.5,\n    'z' => 0.0,\n  ),\n)"],
  ["PHP 8.2, var_dump", "as PHP's var_dump prints an array", "array(5) {\n  [\"status\"]=>\n  string(7) \"SUCCESS\"\n  [\"amount\"]=>\n  float(1000)\n  [\"n\"]=>\n  array(5) {\n    [0]=>\n    int(1)\n    [1]=>\n    float(2.5)\n    [2]=>\n    bool(true)\n    [3]=>\n    bool(false)\n    [4]=>\n    NULL\n  }\n  [\"payer\"]=>\n  string(18) \"Zoë \"x\" 'y' #{z}\\\"\n  [\"meta\"]=>\n  array(7) {\n    [\"a b\"]=>\n    string(9) \"c&d=é/~*\"\n    [\"e\"]=>\n    array(0) {\n    }\n    [\"f\"]=>\n    array(0) {\n    }\n    [\"g-h\"]=>\n    float(0.1)\n    [\"i\"]=>\n    int(-5)\n    [\"big\"]=>\n    float(1000000.5)\n    [\"z\"]=>\n    float(0)\n  }\n}\n"],
  ["Node 20, util.inspect", "as Node prints an object", "{\n  status: 'SUCCESS',\n  amount: 1000,\n  n: [ 1, 2.5, true, false, null ],\n  payer: `Zoë \"x\" 'y' #{z}\\\\`,\n  meta: {\n    'a b': 'c&d=é/~*',\n    e: {},\n    f: [],\n    'g-h': 0.1,\n    i: -5,\n    big: 1000000.5,\n    z: 0\n  }\n}"],
])('writes what %s prints', (_source, how, text) => {
  expect(listPrinted(readJsonTree(plain)!)).toContainEqual([text, how]);
}); // prettier-ignore

it('writes nothing of what is no object and no list', () => {
  expect(listPrinted(readJsonTree('"text"')!)).toEqual([]);
});
