import { nameProductInReferences } from '@shared/http-file/vault-reference';
import { products } from '@shared/payments/tables/products';
import { useAppStatus } from '../../../session/app-status';
import { listJoined } from '@shared/joined-errors';
import type { ClientError } from '../../../transport/client-error';
import { findErrorPlace } from '../../../session/error-place';
import { credentialsHref, routeHref } from '../../../session/routes';
import { TextButton } from '../../../ui/button';
import { StartSandbox } from '../../../panels/start-sandbox';
import { editBody } from '../editor/edit-actions';
import { readInsight } from '../requests-selectors';
import { chooseKey } from '../signing/key-actions';
import { useRequestsStore, type OpenTab } from '../requests-store';
import { sendRequest, sendUnsigned } from '../sending/sending-actions';

const tellsCredentials = new Set(['tokens.no_credentials', 'tokens.refused']);

type Told = Pick<ClientError, 'code' | 'details'>;

/** The ways out of an error of signing or sending, one for each kind of thing that it tells of. */
export function ErrorWays({ tab, error }: { tab: OpenTab; error: ClientError }) {
  const kinds = new Map(listJoined(error).map((one) => [one.code, one]));
  return [...kinds.values()].map((one) => <ErrorWay key={one.code} tab={tab} error={one} />);
}

/** A question, or the place where it is mended. */
function ErrorWay({ tab, error }: { tab: OpenTab; error: Told }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const { code } = error;
  if (code === 'keys.wrong_environment') return <OverrideWays tab={tab} error={error} />;
  if (error.details['lacksProduct'] === true) return <ProductWays tab={tab} />;
  if (code === 'vault.locked') {
    return (
      <TextButton onPress={() => useRequestsStore.setState({ question: { kind: 'unlock' } })}>
        Unlock…
      </TextButton>
    );
  }
  const place = findErrorPlace(error);
  if (place) return <a href={place.href}>{place.label}</a>;
  if (tellsCredentials.has(code)) return <a href={credentialsHref(environment)}>Enter them</a>;
  if (code.startsWith('signing.')) {
    return (
      <TextButton isOnce onPress={() => void sendUnsigned(tab.id)}>
        Send it as it stands, without a signature
      </TextButton>
    );
  }
  if (code === 'sending.unreachable' && environment?.kind === 'local')
    return <StartSandbox again="Send again" onAgain={() => void sendRequest(tab.id)} />;
  if (/^(?:keys|vault|tokens)\./.test(code)) return <a href={routeHref('keys')}>Open Keys</a>;
  return null;
}

/** Whose consumer key and secret a body asks for, where each product has its own and nothing else says it. */
function ProductWays({ tab }: { tab: OpenTab }) {
  const environment = useAppStatus((state) => state.status?.environment ?? null);
  const body = readInsight(tab, environment).block?.body ?? '';
  const ways = products.map((product) => ({ product, text: nameProductInReferences(body, product) }));
  return ways
    .filter(({ text }) => text !== body)
    .map(({ product, text }) => (
      <TextButton
        key={product}
        onPress={() => editBody(tab.id, text, { part: 'body', detail: `Take those of ${product}` })}
      >
        Take those of {product}
      </TextButton>
    ));
}

function OverrideWays({ tab, error }: { tab: OpenTab; error: Told }) {
  const hasOwnKey = useAppStatus((state) => Boolean(state.status?.environment.keyId));
  const { keyId, keyName, environment } = error.details;
  if (typeof keyId !== 'string' || typeof keyName !== 'string' || typeof environment !== 'string') {
    return <a href={routeHref('keys')}>Open Keys</a>;
  }
  return (
    <>
      {tab.keyChoice && hasOwnKey ? (
        <TextButton onPress={() => chooseKey(tab.id, environment, null)}>Use its own key</TextButton>
      ) : null}
      <TextButton
        onPress={() =>
          useRequestsStore.setState({
            question: { kind: 'override', tabId: tab.id, environment, keyId, keyName },
          })
        }
      >
        Use this one…
      </TextButton>
    </>
  );
}
