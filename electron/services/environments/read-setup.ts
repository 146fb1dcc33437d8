import type { EnvironmentSetup, ServiceProfile } from '@shared/contract/environment-setup';
import { setupLimits } from '@shared/contract/setting-limits';
import { usualProfile, usualSetup } from '@shared/contract/usual-setup';
import { isRecord } from '@shared/json/is-record';
import { paymentStates } from '@shared/payments/tables/states';

const { proxyUrl, proxyUser, certificates, tokenPath, fieldName, stateName } = setupLimits;

/** Reads a setup from the settings. What a hand-edited file has in another shape, or longer than it may be, is as usual. */
export function readSetup(value: unknown): EnvironmentSetup {
  const given = asRecord(value);
  return {
    ...readTexts(given, usualSetup, {
      proxyUrl,
      proxyUser,
      ca: certificates,
      clientCertificate: certificates,
    }),
    pathForm: oneOf(given['pathForm'], ['as_written', 'plain', 'api']),
    profile: readProfile(asRecord(given['profile'])),
  };
}

function readProfile(given: Record<string, unknown>): ServiceProfile {
  const { requestNames, answerNames } = usualProfile;
  return {
    ...readTexts(given, usualProfile, { tokenPath }),
    requestNames: readTexts(asRecord(given['requestNames']), requestNames, {
      consumerKey: fieldName,
      consumerSecret: fieldName,
      product: fieldName,
    }),
    answerNames: readTexts(asRecord(given['answerNames']), answerNames, {
      accessToken: fieldName,
      expiresIn: fieldName,
    }),
    expiresInUnit: oneOf(given['expiresInUnit'], ['seconds', 'milliseconds']),
    credentials: oneOf(given['credentials'], ['shared', 'per_product']),
    webhookStates: Object.fromEntries(
      Object.entries(asRecord(given['webhookStates']))
        .filter(([name]) => name.length <= stateName)
        .flatMap(([name, state]) => paymentStates.filter((one) => one === state).map((one) => [name, one])),
    ),
  };
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

function readTexts<T, K extends keyof T & string>(
  given: Record<string, unknown>,
  usual: T,
  mostCharacters: Readonly<Record<K, number>>,
): Pick<T, K> {
  const pairs = (Object.keys(mostCharacters) as K[]).map((name) => {
    const text = given[name];
    return [name, typeof text === 'string' && text.length <= mostCharacters[name] ? text : usual[name]];
  });
  return Object.fromEntries(pairs) as Pick<T, K>;
}

/** The first is what anything else is taken for. */
function oneOf<const T extends string>(value: unknown, known: readonly [T, ...T[]]): T {
  return known.find((one) => one === value) ?? known[0];
}
