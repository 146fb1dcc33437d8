import { products, type Product } from '@shared/payments/tables/products';
import { credentialsHref } from '../../session/routes';
import { Choice } from '../../ui/choice';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import type { EnvironmentDraft } from './environment-draft';
import { useEnvironmentsStore } from './environments-store';
import type { FieldsProps } from './fields-props';
import styles from './environments.module.css';
import fields from '../../ui/field.module.css';

const sharings = [
  { id: 'shared', label: 'One for all products' },
  { id: 'per_product', label: 'One for each product' },
] as const;

/** The key that signs, and what fetches tokens. All of it is kept in the vault. */
export function IdentityFields(props: FieldsProps) {
  const { draft, change, environment, faults } = props;
  const { profile } = draft.setup;
  return (
    <section className={styles.block} aria-label="Key and credentials">
      <h3 className={styles.blockHead}>Key and credentials</h3>
      <SigningKey {...props} />
      <div className={styles.line}>
        <span className={styles.caption}>Consumer key and secret</span>
        <Choice
          label="Consumer key and secret"
          options={sharings}
          selected={profile.credentials}
          onSelect={(credentials) =>
            change({ setup: { ...draft.setup, profile: { ...profile, credentials } } })
          }
        />
      </div>
      {profile.credentials === 'shared' ? (
        <CredentialsPair {...props} product={null} />
      ) : (
        products.map((product) => <CredentialsPair key={product} {...props} product={product} />)
      )}
      {faults['credentials'] ? <p className={styles.warning}>{faults['credentials']}</p> : null}
      <p className={styles.hint}>
        {environment?.hasCredentials
          ? 'Saved and sealed; what you enter here takes their place. '
          : 'They are sealed in the vault and never shown again. '}
        <a href={credentialsHref(environment)}>Keys and tokens</a>
      </p>
    </section>
  );
}

function SigningKey({ draft, change, environment }: FieldsProps) {
  const keys = useEnvironmentsStore((state) => state.keys);
  const fitting = keys.filter((key) => key.environment === null || key.environment === environment?.id);
  const options = [
    { id: '', label: 'No key of its own', detail: 'a key that is bound to no environment signs' },
    ...fitting.map(({ id, name, fingerprint }) => ({ id, label: name, detail: fingerprint.slice(0, 16) })),
  ];
  return (
    <Select
      label="Signing key"
      className={styles.single}
      options={options}
      selected={options.some(({ id }) => id === draft.keyId) ? draft.keyId : ''}
      onSelect={(keyId) => change({ keyId })}
    />
  );
}

function CredentialsPair({ draft, change, environment, product }: FieldsProps & { product: Product | null }) {
  const typed = draft.credentials[product ?? ''] ?? { consumerKey: '', consumerSecret: '' };
  const put = (values: Partial<EnvironmentDraft['credentials'][string]>): void =>
    change({ credentials: { ...draft.credentials, [product ?? '']: { ...typed, ...values } } });
  // Of each product it is not known here: Keys and tokens tell.
  const kept = environment?.hasCredentials && product === null ? 'saved' : undefined;
  const suffix = product === null ? '' : ` of ${product}`;
  return (
    <div className={fields.pair}>
      <TextField
        label={`Consumer key${suffix}`}
        isCode
        placeholder={kept}
        value={typed.consumerKey}
        onChange={(consumerKey) => put({ consumerKey })}
      />
      <TextField
        label={`Consumer secret${suffix}`}
        type="password"
        placeholder={kept}
        value={typed.consumerSecret}
        onChange={(consumerSecret) => put({ consumerSecret })}
      />
    </div>
  );
}
