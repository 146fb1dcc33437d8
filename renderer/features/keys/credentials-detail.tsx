import { readEnvironmentName } from '@shared/contract/environment-id';
import { products, type Product } from '@shared/payments/tables/products';
import { useState } from 'react';
import { useUnsaved } from '../../session/unsaved';
import { Button, TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { ConfirmDialog } from '../../ui/form-dialog';
import { ErrorLine } from '../../ui/error-line';
import { FactList, PaneHeader } from '../../ui/pane-header';
import { RelativeTime } from '../../ui/relative-time';
import { TextField } from '../../ui/text-field';
import { useAttempt } from '../../ui/use-attempt';
import { useKeysStore } from './keys-store';
import styles from './keys.module.css';
import { ForeignText } from '../../ui/foreign-text';
import fields from '../../ui/field.module.css';
import column from '../../ui/column.module.css';

const productOptions = products.map((id) => ({ id, label: id }));

/** What fetches tokens in one environment, or of one product in it. It can be replaced and deleted, never read. */
export function CredentialsDetail({ environment }: { environment: string }) {
  const found = useKeysStore((state) => state.environments.find(({ id }) => id === environment));
  const isForEach = found?.setup.profile.credentials === 'per_product';
  const [chosen, setChosen] = useState<Product>('payout');
  const product = isForEach ? chosen : null;
  const saved = useKeysStore((state) =>
    state.credentials.find((one) => one.environment === environment && one.product === product),
  );
  const deleteCredentials = useKeysStore((state) => state.deleteCredentials);
  const [isAsking, setAsking] = useState(false);
  const label = found?.label ?? readEnvironmentName(environment);
  return (
    <div className={column.scroll}>
      <PaneHeader title={<ForeignText text={`Credentials of ${label}`} />} isSubject>
        {saved ? (
          <TextButton className={styles.danger} onPress={() => setAsking(true)}>
            Delete…
          </TextButton>
        ) : null}
      </PaneHeader>
      {isForEach ? (
        <section className={styles.block} aria-label="Product">
          <Choice label="Credentials of" options={productOptions} selected={chosen} onSelect={setChosen} />
        </section>
      ) : null}
      <FactList
        facts={[
          { label: 'Consumer key', value: saved?.consumerKeyMasked ?? 'none saved' },
          { label: 'Consumer secret', value: saved ? 'sealed, never shown' : 'none saved' },
          { label: 'Saved', value: saved ? <RelativeTime at={saved.savedAt} /> : '–' },
        ]}
      />
      {saved?.isLocked ? (
        <ErrorLine
          tone="warn"
          className={styles.fault}
          error={{
            message: 'They cannot be opened now. Save them anew, or unlock the vault that sealed them.',
          }}
        />
      ) : null}
      <SaveForm key={product} environment={environment} product={product} isReplacing={saved !== undefined} />
      {saved ? <FetchTokens environment={environment} /> : null}
      <ConfirmDialog
        title={`Delete the credentials of ${label}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => deleteCredentials(environment, product)}
        confirmLabel="Delete"
      >
        No token can be fetched there until you save them again.
      </ConfirmDialog>
    </div>
  );
}

interface Typed {
  consumerKey: string;
  consumerSecret: string;
}

function SaveForm({
  environment,
  product,
  isReplacing,
}: {
  environment: string;
  product: Product | null;
  isReplacing: boolean;
}) {
  const saveCredentials = useKeysStore((state) => state.saveCredentials);
  const [typed, setTyped] = useUnsaved<Partial<Typed>>(`credentials/${environment}/${product ?? ''}`);
  const { consumerKey, consumerSecret } = { consumerKey: '', consumerSecret: '', ...typed };
  const { error, run } = useAttempt();
  const isEmpty = consumerKey.trim() === '' || consumerSecret === '';
  const save = (): Promise<void> =>
    run(async () => {
      await saveCredentials({ environment, product, consumerKey: consumerKey.trim(), consumerSecret });
      setTyped(null);
    });
  return (
    <form
      className={styles.block}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void save();
      }}
    >
      <h3 className={styles.blockHead}>{isReplacing ? 'Replace them' : 'Save them'}</h3>
      <div className={fields.pair}>
        <TextField
          label="Consumer key"
          isCode
          value={consumerKey}
          onChange={(now) => setTyped({ ...typed, consumerKey: now })}
        />
        <TextField
          label="Consumer secret"
          type="password"
          value={consumerSecret}
          onChange={(now) => setTyped({ ...typed, consumerSecret: now })}
        />
      </div>
      <div className={styles.outcome}>
        <Button type="submit" variant="primary" obstacle={isEmpty && 'Enter key and secret'}>
          {isReplacing ? 'Replace' : 'Save'}
        </Button>
        {error ? <ErrorLine error={error} /> : null}
      </div>
    </form>
  );
}

function FetchTokens({ environment }: { environment: string }) {
  const fetchToken = useKeysStore((state) => state.fetchToken);
  const choose = useKeysStore((state) => state.choose);
  const { error, isBusy, run } = useAttempt();
  const get = (product: Product): Promise<void> =>
    run(async () => {
      await fetchToken(environment, product, false);
      choose({ kind: 'token', environment, product });
    });
  return (
    <section className={styles.block} aria-label="Tokens">
      <h3 className={styles.blockHead}>Fetch a token of</h3>
      <div className={styles.outcome}>
        {products.map((product) => (
          <Button key={product} isDisabled={isBusy} onPress={() => void get(product)}>
            {`${product[0]!.toUpperCase()}${product.slice(1)}`}
          </Button>
        ))}
      </div>
      {error ? <ErrorLine error={error} /> : null}
    </section>
  );
}
