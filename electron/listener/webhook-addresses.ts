import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { RuleAnswers } from '@shared/webhooks/rules/rule-answers';
import { writeLocalUrl, type ListenChoice } from '../platform/http/listen-on';
import { answerAsUsual, chooseAnswer } from './choose-answer';
import type { ListenerCertificate } from './self-signed';
import {
  serveWebhooks,
  USUAL_BODY_BYTES,
  type ChosenAnswer,
  type NotTaken,
  type PendingWebhook,
  type TunnelProbe,
  type UsualAnswer,
  type WebhookServer,
} from './webhook-server';

export interface ListenerAddress extends ListenChoice {
  /** What it is stopped and changed by. */
  id: string;
  rule: UsualAnswer;
  /** Text of a file of rules, which go before that; null, left out: none. */
  rules?: string | null;
  /** Longest body that is taken, in bytes; left out: 64 MiB. */
  maxBodyBytes?: number;
  /** What every path must begin with, else nothing is kept; null, left out: any path is taken. */
  secretPath?: string | null;
  /** Serves HTTPS with a certificate of its own, made once and kept beside the inbox. */
  isHttps: boolean;
  /** Serves HTTPS with this certificate, PEM; null, left out: with one of its own, where `isHttps` says so. */
  tls?: { key: string; cert: string } | null;
  /** Seals the certificate's private key (32 bytes, Base64). Null, left out: it is kept in memory, for this start alone. */
  sealingKey?: string | null;
}

/** `remark`: what the user must hear of it; null: nothing. */
export interface StartedAddress {
  url: string;
  port: number;
  remark: string | null;
}

/** Addresses that take webhooks, as many as are started. */
export interface WebhookAddresses {
  /** Starts an address, or starts it anew. @throws {AppError} `listener.port_in_use`, `listener.port_refused` */
  start(address: ListenerAddress): Promise<StartedAddress>;
  /** Changes what an address answers from now on. */
  setRule(id: string, rule: UsualAnswer): void;
  /** Changes its rules, all or nothing. @throws {AppError} `listener.bad_rules` */
  setRules(id: string, rules: string | null): void;
  /** Answers the probes of a tunnel from now on; none of them is kept. */
  setProbe(probe: TunnelProbe): void;
  /** Stops an address; what it is answering is answered first. */
  stop(id: string): Promise<void>;
}

/**
 * Serves webhooks on each address that is started: on the loopback interface, where no other is named.
 *
 * @param keep - gets all webhooks that were complete in one turn of the event loop
 * @param folder - where certificates are kept; null: nowhere
 * @param onNotTaken - told of what an address was sent and does not keep
 */
export function serveAddresses(
  keep: (webhooks: PendingWebhook[]) => void,
  folder: string | null,
  onNotTaken: ((id: string, request: NotTaken) => void) | undefined,
): WebhookAddresses & { secretPaths(): string[]; ports(): number[]; stopAll(): Promise<void> } {
  const running = new Map<
    string,
    { server: WebhookServer; usual: ChosenAnswer; rules: RuleAnswers; secretPath: string | null }
  >();
  let probe: TunnelProbe | null = null;
  const stop = async (id: string): Promise<void> => {
    const stopping = running.get(id);
    running.delete(id);
    await stopping?.server.close();
  };
  return {
    async start({ id, rule, rules = null, isHttps, sealingKey = null, tls: given = null, ...limits }) {
      const { secretPath = null } = limits;
      const address = { usual: answerAsUsual(rule), rules: new RuleAnswers(readRules(rules)), secretPath };
      await stop(id);
      const made = isHttps && given === null ? await readCertificate(folder, sealingKey) : null;
      const tls = given ?? made;
      const server = await serveWebhooks({
        port: limits.port,
        alternatives: limits.alternatives,
        host: limits.host,
        tls,
        maxBodyBytes: limits.maxBodyBytes ?? USUAL_BODY_BYTES,
        secretPath,
        answerFor: (request) => chooseAnswer(address, request),
        readProbe: () => probe,
        onBatch: keep,
        onNotTaken: (request) => onNotTaken?.(id, request),
      });
      running.set(id, Object.assign(address, { server }));
      const url = writeLocalUrl(limits.host, server.port, tls !== null);
      return { url, port: server.port, remark: made?.remark ?? null };
    },
    setRule(id, rule) {
      const address = running.get(id);
      if (address !== undefined) address.usual = answerAsUsual(rule);
    },
    setRules(id, rules) {
      const read = readRules(rules);
      running.get(id)?.rules.setRules(read);
    },
    setProbe: (next) => void (probe = next),
    stop,
    secretPaths: () => [...running.values()].flatMap(({ secretPath }) => secretPath ?? []),
    ports: () => [...running.values()].map(({ server }) => server.port),
    stopAll: () => Promise.all([...running.keys()].map(stop)).then(() => undefined),
  };
}

const readRules = (text: string | null): ReturnType<typeof parseRules> =>
  text === null ? [] : parseRules(text);

async function readCertificate(
  folder: string | null,
  sealingKey: string | null,
): Promise<ListenerCertificate> {
  const { readOrMakeCertificate } = await import('./self-signed');
  return readOrMakeCertificate(folder, sealingKey);
}
