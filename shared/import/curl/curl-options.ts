/** What an option of curl does to a request. `ignored` is nothing that is sent; `noted` is, and is not taken over. */
export type OptionKind =
  | 'request'
  | 'url'
  | 'header'
  | 'data'
  | 'data-raw'
  | 'data-urlencode'
  | 'json'
  | 'get'
  | 'head'
  | 'user'
  | 'bearer'
  | 'user-agent'
  | 'referer'
  | 'cookie'
  | 'form'
  | 'form-string'
  | 'upload'
  | 'url-query'
  | 'range'
  | 'other-auth'
  | 'next'
  | 'globoff'
  | 'path-as-is'
  | 'ignored'
  | 'noted';

export interface CurlOption {
  name: string;
  kind: OptionKind;
  takesValue: boolean;
}

const withValue: Readonly<Partial<Record<OptionKind, string>>> = {
  request: 'request',
  url: 'url',
  header: 'header',
  data: 'data data-ascii data-binary',
  'data-raw': 'data-raw',
  'data-urlencode': 'data-urlencode',
  json: 'json',
  user: 'user',
  bearer: 'oauth2-bearer',
  'user-agent': 'user-agent',
  referer: 'referer',
  cookie: 'cookie',
  form: 'form',
  'form-string': 'form-string',
  upload: 'upload-file',
  'url-query': 'url-query',
  range: 'range',
  'other-auth': 'aws-sigv4',
  ignored:
    'output output-dir write-out cookie-jar trace trace-ascii stderr dump-header speed-limit speed-time limit-rate keepalive-time max-filesize expect100-timeout parallel-max create-file-mode egd-file etag-save libcurl random-file keepalive-cnt trace-config',
  noted:
    'max-time connect-timeout retry retry-delay retry-max-time max-redirs proxy proxy-user proxy-header preproxy socks4 socks4a socks5 socks5-hostname noproxy cert cert-type key key-type pass cacert capath pinnedpubkey resolve connect-to interface dns-servers doh-url unix-socket abstract-unix-socket config request-target netrc-file proto proto-default tls-max ciphers tls13-ciphers curves variable continue-at time-cond rate local-port engine crlfile happy-eyeballs-timeout-ms quote postquote telnet-option ftp-port mail-from mail-rcpt haproxy-clientip hsts alt-svc login-options sasl-authzid service-name krb delegation dns-interface dns-ipv4-addr dns-ipv6-addr etag-compare ftp-account ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 mail-auth proto-redir proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 pubkey socks5-gssapi-service tftp-blksize tlsauthtype tlspassword tlsuser ipfs-gateway ip-tos vlan-priority ech sigalgs upload-flags',
};

const withoutValue: Readonly<Partial<Record<OptionKind, string>>> = {
  get: 'get',
  head: 'head',
  'path-as-is': 'path-as-is',
  next: 'next',
  globoff: 'globoff',
  'other-auth': 'digest ntlm negotiate anyauth ntlm-wb',
  ignored:
    'basic silent show-error verbose include fail fail-with-body fail-early progress-bar no-progress-meter no-buffer remote-name remote-name-all remote-header-name create-dirs http1.1 http1.0 http2 http2-prior-knowledge http3 http3-only raw tcp-nodelay tcp-fastopen ipv4 ipv6 parallel no-keepalive keepalive junk-session-cookies styled-output disable help version manual no-sessionid no-alpn no-npn tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 ssl-no-revoke trace-time trace-ids ca-native cert-status compressed-ssh disable-eprt disable-epsv disallow-username-in-url doh-cert-status false-start ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control http0.9 ignore-content-length metalink no-clobber parallel-immediate remove-on-error sasl-ir ssl-allow-beast proxy-ssl-allow-beast suppress-connect-headers tftp-no-options use-ascii mptcp skip-existing out-null tls-earlydata',
  noted:
    'insecure compressed tr-encoding location location-trusted post301 post302 post303 retry-connrefused retry-all-errors netrc netrc-optional proxytunnel xattr ssl ssl-reqd remote-time proxy-insecure append list-only crlf doh-insecure form-escape haproxy-protocol mail-rcpt-allowfails proxy-anyauth proxy-basic proxy-digest proxy-negotiate proxy-ntlm proxy-ca-native proxy-http2 proxy-ssl-auto-client-cert proxy-tlsv1 socks5-basic socks5-gssapi socks5-gssapi-nec ssl-auto-client-cert ssl-revoke-best-effort sslv2 sslv3 follow',
};

const shortNames: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  G: 'get',
  I: 'head',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  c: 'cookie-jar',
  F: 'form',
  T: 'upload-file',
  o: 'output',
  O: 'remote-name',
  w: 'write-out',
  m: 'max-time',
  x: 'proxy',
  U: 'proxy-user',
  E: 'cert',
  K: 'config',
  D: 'dump-header',
  C: 'continue-at',
  r: 'range',
  Y: 'speed-limit',
  y: 'speed-time',
  z: 'time-cond',
  P: 'ftp-port',
  Q: 'quote',
  t: 'telnet-option',
  k: 'insecure',
  L: 'location',
  s: 'silent',
  S: 'show-error',
  v: 'verbose',
  i: 'include',
  f: 'fail',
  g: 'globoff',
  J: 'remote-header-name',
  N: 'no-buffer',
  n: 'netrc',
  p: 'proxytunnel',
  q: 'disable',
  R: 'remote-time',
  Z: 'parallel',
  B: 'use-ascii',
  a: 'append',
  l: 'list-only',
  j: 'junk-session-cookies',
  h: 'help',
  V: 'version',
  M: 'manual',
  0: 'http1.0',
  1: 'tlsv1',
  2: 'sslv2',
  3: 'sslv3',
  4: 'ipv4',
  6: 'ipv6',
  '#': 'progress-bar',
  ':': 'next',
};

const table = new Map<string, CurlOption>();
for (const [takesValue, kinds] of [
  [true, withValue],
  [false, withoutValue],
] as const) {
  for (const [kind, names] of Object.entries(kinds)) {
    for (const name of names.split(' ')) table.set(name, { name, kind: kind as OptionKind, takesValue });
  }
}

/** Finds an option by its long name, which may be cut short, or by its letter; null: curl has none such. */
export function findCurlOption(name: string): CurlOption | null {
  if (name.length === 1) return table.get(shortNames[name] ?? '') ?? null;
  // `--expand-data` fills in what curl has between braces, and is `--data` otherwise.
  if (name.startsWith('expand-')) return findCurlOption(name.slice(7));
  const known = table.get(name) ?? table.get(name.replace(/^no-/, ''));
  if (known !== undefined) return known.name === name ? known : { name, kind: 'ignored', takesValue: false };
  const begun = [...table.values()].filter((one) => one.name.startsWith(name));
  return begun.length === 1 ? begun[0]! : null;
}
