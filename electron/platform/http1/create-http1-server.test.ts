import { expect, it } from 'vitest';
import { describeTlsFault } from './create-http1-server';

const describeCode = (code: string): string | null => describeTlsFault(Object.assign(new Error(), { code }));

it.each(['TLSV1_ALERT_UNKNOWN_CA', 'SSLV3_ALERT_BAD_CERTIFICATE', 'SSLV3_ALERT_CERTIFICATE_EXPIRED'])(
  '%s is a sender that does not trust the certificate',
  (alert) => expect(describeCode(`ERR_SSL_${alert}`)).toBe('the sender does not trust the certificate'),
);

it.each(['TLSV1_ALERT_USER_CANCELLED', 'TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'TLSV1_ALERT_ACCESS_DENIED'])(
  '%s says nothing of the certificate, and is told as it is',
  (alert) => expect(describeCode(`ERR_SSL_${alert}`)).toBe(`no TLS could be agreed on (ERR_SSL_${alert})`),
);
