import type { ServiceProfile } from '@shared/contract/environment-setup';
import { usualProfile } from '@shared/contract/usual-setup';
import { useState } from 'react';
import { TextButton } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { TextField } from '../../ui/text-field';
import type { FieldsProps } from './fields-props';
import styles from './environments.module.css';

const units = [
  { id: 'seconds', label: 'seconds' },
  { id: 'milliseconds', label: 'milliseconds' },
] as const;

/** What the interface leaves open about the service, as this environment has it. */
export function ProfileFields({ draft, change, faults }: FieldsProps) {
  const { profile } = draft.setup;
  const put = (values: Partial<ServiceProfile>): void =>
    change({ setup: { ...draft.setup, profile: { ...profile, ...values } } });
  const isUsual =
    JSON.stringify(profile) === JSON.stringify({ ...usualProfile, credentials: profile.credentials });
  const [isOpen, setOpen] = useState(!isUsual);
  return (
    <section className={styles.block} aria-label="Service profile">
      <div className={styles.line}>
        <h3 className={styles.blockHead}>Service profile</h3>
        <TextButton aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Change…'}
        </TextButton>
      </div>
      <p className={styles.hint}>
        The interface does not show the token call, nor every state of a webhook.{' '}
        {isUsual
          ? `Assumed: POST ${profile.tokenPath}, ${profile.expiresInUnit}.`
          : 'Changed for this environment.'}
      </p>
      {isOpen ? (
        <>
          <TokenCall profile={profile} put={put} />
          <TextField
            label="More states of webhooks"
            isCode
            rows={2}
            value={draft.webhookStates}
            onChange={(webhookStates) => change({ webhookStates })}
            placeholder="PENDING = processing"
            help="One “name = meaning” a line: processing, succeeded, failed or canceled."
            fault={faults['webhookStates'] ?? null}
          />
        </>
      ) : null}
    </section>
  );
}

function TokenCall({
  profile,
  put,
}: {
  profile: ServiceProfile;
  put: (values: Partial<ServiceProfile>) => void;
}) {
  const { requestNames, answerNames } = profile;
  const putRequest = (values: Partial<ServiceProfile['requestNames']>): void =>
    put({ requestNames: { ...requestNames, ...values } });
  const putAnswer = (values: Partial<ServiceProfile['answerNames']>): void =>
    put({ answerNames: { ...answerNames, ...values } });
  return (
    <>
      <TextField
        label="Token path"
        isCode
        className={styles.single}
        value={profile.tokenPath}
        onChange={(tokenPath) => put({ tokenPath })}
        help="On the environment’s own host."
      />
      <div className={styles.triple}>
        <TextField
          label="Field of the consumer key"
          isCode
          value={requestNames.consumerKey}
          onChange={(consumerKey) => putRequest({ consumerKey })}
        />
        <TextField
          label="Field of the consumer secret"
          isCode
          value={requestNames.consumerSecret}
          onChange={(consumerSecret) => putRequest({ consumerSecret })}
        />
        <TextField
          label="Field of the product"
          isCode
          value={requestNames.product}
          onChange={(product) => putRequest({ product })}
          help="Empty: it is left out."
        />
        <TextField
          label="Field of the token"
          isCode
          value={answerNames.accessToken}
          onChange={(accessToken) => putAnswer({ accessToken })}
          help="Dots lead into objects: data.access_token"
        />
        <TextField
          label="Field of its lifetime"
          isCode
          value={answerNames.expiresIn}
          onChange={(expiresIn) => putAnswer({ expiresIn })}
        />
        <div className={styles.unit}>
          <span className={styles.caption}>Lifetime in</span>
          <Choice
            label="Lifetime in"
            options={units}
            selected={profile.expiresInUnit}
            onSelect={(expiresInUnit) => put({ expiresInUnit })}
          />
        </div>
      </div>
    </>
  );
}
