import type { ConnectionPart, EnvironmentSetup } from '@shared/contract/environment-setup';
import { TextField } from '../../ui/text-field';
import type { FieldsProps } from './fields-props';
import { PemField } from './pem-field';
import styles from './environments.module.css';
import fields from '../../ui/field.module.css';

/** The way to the service: proxy, issuers that are trusted, and what this side proves itself with. */
export function ConnectionFields({ draft, change, environment }: FieldsProps) {
  const { setup, secrets } = draft;
  const put = (values: Partial<EnvironmentSetup>): void => change({ setup: { ...setup, ...values } });
  const putSecret = (part: ConnectionPart, value: string): void =>
    change({ secrets: { ...secrets, [part]: value } });
  const helpOf = (part: ConnectionPart): string | undefined =>
    environment?.sealedParts.includes(part) === true && secrets[part] === undefined
      ? 'In the vault; what you enter takes its place.'
      : undefined;
  return (
    <section className={styles.block} aria-label="Connection">
      <h3 className={styles.blockHead}>Connection</h3>
      <TextField
        label="Proxy"
        isCode
        value={setup.proxyUrl}
        onChange={(proxyUrl) => put({ proxyUrl })}
        placeholder="http://proxy.example.com:3128"
        help="Asked for a tunnel to the service; empty: straight there. Certificates are checked as without it."
      />
      {setup.proxyUrl === '' ? null : (
        <div className={fields.pair}>
          <TextField
            label="Proxy user"
            value={setup.proxyUser}
            onChange={(proxyUser) => put({ proxyUser })}
            help="Empty: it asks for none."
          />
          <TextField
            label="Proxy password"
            type="password"
            value={secrets.proxyPassword ?? ''}
            onChange={(value) => putSecret('proxyPassword', value)}
            help={helpOf('proxyPassword')}
            isDisabled={setup.proxyUser === ''}
          />
        </div>
      )}
      <PemField
        label="Issuers to trust (CA)"
        value={setup.ca}
        onChange={(ca) => put({ ca })}
        help="PEM. They count beside the usual ones, for this address alone."
      />
      <PemField
        label="Client certificate"
        value={setup.clientCertificate}
        onChange={(clientCertificate) => put({ clientCertificate })}
        help="PEM, with its chain. Shown to this address alone."
      />
      {setup.clientCertificate === '' ? null : (
        <div className={fields.pair}>
          <PemField
            label="Key of the client certificate"
            value={secrets.clientKey ?? ''}
            onChange={(value) => putSecret('clientKey', value)}
            help={helpOf('clientKey') ?? 'PEM. It goes to the vault and is never shown.'}
          />
          <TextField
            label="Passphrase of that key"
            type="password"
            value={secrets.clientKeyPassphrase ?? ''}
            onChange={(value) => putSecret('clientKeyPassphrase', value)}
            help={helpOf('clientKeyPassphrase') ?? 'Empty: it has none.'}
          />
        </div>
      )}
    </section>
  );
}
