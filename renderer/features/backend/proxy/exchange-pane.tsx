import type { ProxyExchangeDetail } from '@shared/contract/proxy';
import { nameCause } from '@shared/doctor/causes';
import { Fragment } from 'react';
import { MessageParts } from '../../../panels/message-parts';
import { SignedString } from '../../../panels/signed-string';
import { navigate } from '../../../session/routes';
import { TextButton } from '../../../ui/button';
import { CopyText } from '../../../ui/copy-text';
import { EmptyState } from '../../../ui/empty-state';
import { LoadError } from '../../../ui/load-error';
import { formatDuration, formatExact } from '../../../ui/format-time';
import { Skeleton } from '../../../ui/spinner';
import { Tag } from '../../../ui/tag';
import shared from '../../../panels/exchange-pane.module.css';
import styles from '../backend.module.css';
import { chooseKey, describeExchange, describeSaid, listVerdicts } from './proxy-selectors';
import { useProxyStore } from './proxy-store';
import { ForeignText } from '../../../ui/foreign-text';

/** Of each body, by the proxy. */
const keptBodyBytes = 1024 * 1024;

/** One exchange: what is wrong with it, what was to be signed, its token, its fields, and both messages. */
export function ExchangePane() {
  const id = useProxyStore((store) => store.id);
  const exchange = useProxyStore((store) => store.exchange);
  const error = useProxyStore((store) => store.exchangeError);
  const open = useProxyStore((store) => store.open);
  if (id === null) return <EmptyState title="No exchange chosen" />;
  if (error) return <LoadError error={error} isApart onRetry={() => open(id)} />;
  if (exchange === null) return <Skeleton lines={6} />;
  return (
    <div className={shared.detail} key={exchange.id}>
      <Verdict exchange={exchange} />
      <ProxiedString exchange={exchange} />
      <Facts exchange={exchange} />
      <MessageParts
        request={exchange.request}
        answer={exchange.answer}
        query={exchange.query}
        keptBytes={keptBodyBytes}
      />
    </div>
  );
}

function Verdict({ exchange }: { exchange: ProxyExchangeDetail }) {
  const { httpStatus, durationMs, id, reference, operation, diagnosis, fieldProblems } = exchange;
  const { text, isFinding } = describeExchange(exchange);
  const said = describeSaid(exchange);
  const hasJourney = reference !== null && operation !== null && operation !== 'token';
  return (
    <section className={shared.verdict} aria-label="Verdict">
      <span className={shared.tags}>
        <Tag>{`${httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`} in ${formatDuration(durationMs)}`}</Tag>
        {listVerdicts(exchange).map(({ text: word, tone }) => (
          <Tag key={word} tone={tone}>
            {word}
          </Tag>
        ))}
      </span>
      <p className={isFinding ? shared.headline : shared.calm}>
        <ForeignText text={text} />
      </p>
      {said === null ? null : (
        <p className={shared.calm}>
          <ForeignText text={said} />
        </p>
      )}
      <Findings
        rows={(diagnosis?.causes ?? []).map(({ code, message }) => ({
          name: nameCause(code),
          text: message,
        }))}
        label="Causes"
      />
      <Findings
        rows={fieldProblems.map(({ field, message }) => ({ name: field, text: message }))}
        label="Fields"
      />
      <p className={shared.small}>
        Exchange <CopyText text={id} label="id of the exchange" />
        {hasJourney ? (
          <>
            {' · '}
            <TextButton onPress={() => navigate('payments', reference)}>Open its journey</TextButton>
          </>
        ) : null}
      </p>
    </section>
  );
}

const mostFindings = 50;

function Findings({ rows, label }: { rows: readonly { name: string; text: string }[]; label: string }) {
  if (rows.length === 0) return null;
  return (
    <dl className={styles.findings} aria-label={label}>
      {rows.slice(0, mostFindings).map(({ name, text }, index) => (
        <div key={index}>
          <dt>
            <ForeignText text={name} />
          </dt>
          <dd>
            <ForeignText text={text} />
          </dd>
        </div>
      ))}
      {rows.length > mostFindings ? <div>{`and ${rows.length - mostFindings} more`}</div> : null}
    </dl>
  );
}

function ProxiedString({ exchange }: { exchange: ProxyExchangeDetail }) {
  const { stringToSign, request, at } = exchange;
  const publicKeyPem = useProxyStore((store) => chooseKey(exchange, store.status?.publicKey ?? ''));
  const keys = publicKeyPem === '' ? {} : { publicKeyPem };
  if (stringToSign === null) return null;
  return <SignedString {...{ stringToSign, request, at, keys }} keeper="the proxy" />;
}

function Facts({ exchange: { token, origin, at } }: { exchange: ProxyExchangeDetail }) {
  const facts = [
    ['Sent', formatExact(at)],
    ['To', origin],
    ['Token', token === null ? 'none' : describeToken(token)],
  ] as const;
  return (
    <section className={shared.block} aria-label="Token and target">
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <ForeignText text={value} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** What a token says of itself; its fingerprint tells it from others. */
function describeToken({
  product,
  expiresAt,
  isExpired,
  fingerprint,
}: NonNullable<ProxyExchangeDetail['token']>): string {
  const expiry =
    expiresAt === null
      ? 'expiry unknown'
      : `${isExpired ? 'expired' : 'good until'} ${formatExact(expiresAt).slice(0, 19)}`;
  const whose = product === null ? 'of a product that it does not name' : `of product ${product}`;
  return `${whose}, ${expiry} (${fingerprint.slice(0, 8)})`;
}
