import { dirname } from 'node:path';
import { parseRules } from '@shared/webhooks/rules/parse-rules';
import { RuleAnswers } from '@shared/webhooks/rules/rule-answers';
import type { PortChoice } from '../platform/http/listen-on';
import { createForwarding, type Forwarding, type ForwardingOptions } from './forwarding/create-forwarding';
import { openInbox, type Inbox, type InboxOptions } from './open-inbox';
import type { ListenerCertificate } from './self-signed';
import { chooseAnswer } from './choose-answer';
import {
  serveWebhooks,
  USUAL_BODY_BYTES,
  type UsualAnswer,
  type TunnelProbe,
  type WebhookServer,
} from './webhook-server';

/** One of the addresses that a listener has. */
export interface ListenerAddress extends PortChoice {
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
  /** Seals the certificate's private key (32 bytes, Base64). Null, left out: it is kept in memory, for this start alone. */
  sealingKey?: string | null;
}

/** `remark`: what the user must hear of it; null: nothing. */
export interface StartedAddress {
  url: string;
  port: number;
  remark: string | null;
}

/** Receives webhooks into one inbox, on as many addresses as are started. */
export interface Listener {
  readonly inbox: Inbox;
  readonly forwarding: Forwarding;
  /** Starts an address, or starts it anew. @throws {AppError} `listener.port_in_use`, `listener.port_refused` */
  start(address: ListenerAddress): Promise<StartedAddress>;
  /** Changes what an address answers from now on. */
  setRule(id: string, rule: UsualAnswer): void;
  /** Changes its rules, all or nothing. @throws {AppError} `listener.bad_rules` */
  setRules(id: string, rules: string | null): void;
  /** Answers the probes of a tunnel from now on; none of them is kept. */
  setProbe(probe: TunnelProbe): void;
  /** Stops an address; what it is answering is answered first. The inbox stays open. */
  stop(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerOptions extends Omit<InboxOptions, 'holds'> {
  onForward?: ForwardingOptions['onAttempt'];
  onForwarding?: ForwardingOptions['onChange'];
}

/**
 * Opens the inbox; webhooks are received on the loopback interface, on each address that is started.
 *
 * A webhook is answered only after its transaction is on disk; all that arrive in one turn of the event loop
 * share one transaction. What cannot be stored is answered 503, so that the sender tries again.
 * @throws {AppError} `platform.*` where the file cannot be used
 */
export function createListener(options: ListenerOptions): Listener {
  const inbox: Inbox = openInbox({
    ...options,
    holds: (id, webhook) => forwarding.hold(id, webhook),
    firstNeeded: () => forwarding.firstWaiting(),
    onCommit(batch) {
      forwarding.wake();
      options.onCommit?.(batch);
    },
  });
  const forwarding = createForwarding(options.file, {
    arrivals: inbox.arrivals,
    readKeys: inbox.readKeys,
    onAttempt: options.onForward,
    onChange(states) {
      inbox.postponeIndexing();
      options.onForwarding?.(states);
    },
    onRescued: options.onRescued,
    noteRelayed: inbox.noteRelayed,
    secretPaths: () => [...running.values()].flatMap(({ secretPath }) => secretPath ?? []),
  });
  const running = new Map<
    string,
    { server: WebhookServer; rule: UsualAnswer; rules: RuleAnswers; secretPath: string | null }
  >();

  let probe: TunnelProbe | null = null;
  const stop = async (id: string): Promise<void> => {
    const stopping = running.get(id);
    running.delete(id);
    await stopping?.server.close();
  };
  return {
    inbox,
    forwarding,
    async start({ id, port, alternatives, rule, rules = null, isHttps, sealingKey = null, ...limits }) {
      const { secretPath = null } = limits;
      const address = { rule, rules: new RuleAnswers(readRules(rules)), secretPath };
      await stop(id);
      const tls = isHttps ? await readCertificate(options.file, sealingKey) : null;
      const server = await serveWebhooks({
        port,
        alternatives,
        tls,
        maxBodyBytes: limits.maxBodyBytes ?? USUAL_BODY_BYTES,
        secretPath,
        answerFor: (request) => chooseAnswer(address, request),
        readProbe: () => probe,
        onBatch: inbox.accept,
      });
      running.set(id, Object.assign(address, { server }));
      const url = `${isHttps ? 'https' : 'http'}://127.0.0.1:${server.port}`;
      return { url, port: server.port, remark: tls?.remark ?? null };
    },
    setRule(id, rule) {
      const address = running.get(id);
      if (address !== undefined) address.rule = rule;
    },
    setRules(id, rules) {
      const read = readRules(rules);
      running.get(id)?.rules.setRules(read);
    },
    setProbe: (next) => void (probe = next),
    stop,
    async close() {
      const stopping = Promise.all([...running.keys()].map(stop));
      // First: senders that wait for the backend are answered, or the addresses would not close.
      await forwarding.close();
      await stopping;
      inbox.close();
    },
  };
}

const readRules = (text: string | null): ReturnType<typeof parseRules> =>
  text === null ? [] : parseRules(text);

async function readCertificate(file: string, sealingKey: string | null): Promise<ListenerCertificate> {
  const { readOrMakeCertificate } = await import('./self-signed');
  return readOrMakeCertificate(file === ':memory:' ? null : dirname(file), sealingKey);
}
