import { createWebhookSecret } from '../../platform/crypto/standard-webhooks';
import { listProbes, writeRight, type Probe } from './handler-probes';
import { findTelling, type PlayedWebhook } from './played-webhook';
import { postWebhook } from './post-webhook';
import type { Refused, StageOptions } from './stage';

type Options = Pick<StageOptions, 'url' | 'secret' | 'timeoutMs' | 'signal'>;

/** A handler is asked for so long what it takes, and so often in one check. */
const MOST_MS = 8000;
const MOST_SEARCHES = 4;

/** What no other webhook can show: what stands in front of the handler, a text that no header can hold, headers that are not found, a secret of its own. */
const LOOK =
  'look whether it comes to the handler at all (a protection of forms, CSRF, has to leave webhooks alone), and whether the handler has this secret, finds the headers (names of headers have any case: in Node they are lower-case, in Go ask r.Header.Get), and compares with a text without a line end (Base64.encode64 of Ruby and base64.encodebytes of Python add one)';

/** The body alone differs from those that were taken. */
const LOOK_AT_BODY =
  'look in the log of the handler for what it has against this body, which need not be its signature';

const RIGHT = ' Its signature is right by the secret that was given';

/**
 * Finds out what a handler takes that refuses what is signed right: the same webhook is sent again, signed with one of the
 * mistakes that handlers make, until it takes one.
 *
 * It claims nothing of a handler that then takes the right one, too, or one that another secret signed.
 */
export class HandlerDiagnosis {
  private searches = 0;
  /** Those of the probes that were taken, by phrase, the last first: what is wrong with one webhook is mostly wrong with the next. */
  private taken: readonly Probe[] = [];

  /** Those that were refused, by phrase: a search that was cut is gone on with by the next. */
  private readonly refused = new Set<string>();

  private hasTakenRight = false;

  constructor(private readonly options: Options) {}

  /** One that is signed right was taken: the handler has the secret, and finds the headers. */
  noteTaken(): void {
    this.hasTakenRight = true;
  }

  /**
   * @returns sentences that go on after the fault, with a space in front; what is found is what the handler does. Empty: it
   *   fails, and nothing was tried
   */
  async describe({ webhook, isRefusal }: Refused): Promise<string> {
    const general = this.hasTakenRight
      ? `${RIGHT}, and others that are signed right were taken: verify over the bytes as they came.`
      : `${RIGHT}: verify over the bytes as they came, with the secret decoded from Base64.`;
    const { secret } = this.options;
    if (secret === null || secret.startsWith('whsk_')) return isRefusal ? general : '';
    const { probe, tried, all = tried } = await this.find(secret, webhook);
    if (probe !== null)
      return `${RIGHT}. The handler takes the same webhook ${probe.phrase}: ${probe.remedy}.`;
    if (!isRefusal)
      return tried === 0
        ? ''
        : ` It was sent again with ${tried < all ? `${tried} of ${all}` : tried} usual mistakes in its signature, and none was taken: look in the log of the handler for what it fails at.`;
    // Of a long body, and after some searches, not all is tried again.
    const [last] = this.taken;
    if (last !== undefined)
      return `${RIGHT}. The handler took another webhook ${last.phrase}: ${last.remedy}.`;
    if (tried === 0) return general;
    return tried < all
      ? `${general} It was sent again with ${tried} of ${all} usual mistakes within ${MOST_MS / 1000} s, and none of these was taken: let it refuse at once, and all of them are tried.`
      : `${general} It was sent again with ${tried} usual mistakes, and none was taken: ${this.hasTakenRight ? LOOK_AT_BODY : LOOK}.`;
  }

  private async find(
    secret: string,
    webhook: PlayedWebhook,
  ): Promise<{ probe: Probe | null; tried: number; all?: number }> {
    const endsAt = performance.now() + MOST_MS;
    const atMs = findTelling(secret, webhook, Date.now());
    const controls = [secret, createWebhookSecret()].map((by) => writeRight(by, webhook, atMs));
    const probes = [...listProbes(secret, webhook, atMs)];
    for (const { phrase: known } of this.taken) {
      const probe = probes.find(({ phrase }) => phrase === known);
      if (probe !== undefined && (await this.isProved(probe, webhook, controls))) return { probe, tried: 1 };
    }
    if (this.searches === MOST_SEARCHES) return { probe: null, tried: 0 };
    this.searches += 1;
    let tried = 0;
    const isRefused = ({ phrase }: Probe): boolean => this.refused.has(phrase);
    for (const probe of [...probes.filter((one) => !isRefused(one)), ...probes.filter(isRefused)]) {
      if (performance.now() > endsAt || this.options.signal?.aborted === true) break;
      tried += 1;
      if (!(await this.isTaken(webhook, probe.headers))) {
        this.refused.add(probe.phrase);
        continue;
      }
      if (!(await this.isProved(probe, webhook, controls))) return { probe: null, tried: 0 };
      this.taken = [probe, ...this.taken];
      return { probe, tried };
    }
    return { probe: null, tried, all: probes.length };
  }

  /** @param controls - what a handler has to refuse that takes the probe: signed right, and by another secret */
  private async isProved(
    { headers }: Probe,
    webhook: PlayedWebhook,
    controls: readonly Probe['headers'][],
  ): Promise<boolean> {
    if (!(await this.isTaken(webhook, headers))) return false;
    for (const control of controls) if (await this.isTaken(webhook, control)) return false;
    return true;
  }

  private async isTaken(
    { body }: PlayedWebhook,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const { url, timeoutMs, signal } = this.options;
    const whole = {
      'content-type': 'application/json',
      'user-agent': 'Countersign-Receiver-Check/1',
      ...headers,
    };
    const { httpStatus } = await postWebhook(url, { headers: whole, body: Buffer.from(body) }, timeoutMs, {
      ...(signal && { signal }),
    });
    return httpStatus !== null && httpStatus >= 200 && httpStatus <= 299;
  }
}
