import { createHttp1Server } from '../http1/create-http1-server';
import type { OutgoingAnswer } from '../http1/write-answer';
import { listenOn, type ListenChoice } from './listen-on';

/** What a program says of itself to whoever watches over it: nothing secret, nothing of a user's. */
export interface StatusReport {
  /** Says why it should be given no requests now; null: it is ready. */
  findTrouble(): Promise<string | null>;
  /** Its figures, in the text form of Prometheus. */
  readFigures(): Promise<{ contentType: string; text: string }>;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

const plainText = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];

/** The addresses, by path. */
const pages: Readonly<Record<string, (report: StatusReport) => Promise<OutgoingAnswer>>> = {
  '/health': () => Promise.resolve(answerText(200, 'alive')),
  async '/ready'(report) {
    const trouble = await report.findTrouble();
    return trouble === null ? answerText(200, 'ready') : answerText(503, trouble);
  },
  async '/metrics'(report) {
    const { contentType, text } = await report.readFigures();
    return {
      httpStatus: 200,
      headers: ['Content-Type', contentType, 'Cache-Control', 'no-store'],
      body: text,
    };
  },
};

/**
 * Serves `/health`, `/ready` and `/metrics` on a port of their own: what watches over a program need not be let in to
 * what the program serves, and nothing of it costs the program's own requests anything.
 *
 * @param area - begins an error's code
 * @throws {AppError} `<area>.port_in_use`, `<area>.port_refused`
 */
export async function serveStatus(
  area: 'listener' | 'sandbox',
  choice: ListenChoice,
  report: StatusReport,
): Promise<StatusServer> {
  const { server, close } = createHttp1Server({
    maxBodyBytes: 0,
    receive({ method, target }, responder) {
      void answerPage(report, method, target)
        .catch((error: unknown) => answerText(500, error instanceof Error ? error.message : String(error)))
        .then(({ httpStatus, headers, body }) => responder.answer(httpStatus, headers, body));
    },
    refuse: (httpStatus, reason) => answerText(httpStatus, `Not taken: ${reason}.`),
  });
  return { port: await listenOn(server, area, choice), close };
}

function answerPage(report: StatusReport, method: string, target: string): Promise<OutgoingAnswer> {
  const path = target.split('?', 1)[0]!;
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) {
    return Promise.resolve(answerText(404, `There are ${Object.keys(pages).join(', ')}.`));
  }
  if (method === 'GET' || method === 'HEAD') return page(report);
  return Promise.resolve({
    ...answerText(405, 'This address takes GET only.'),
    headers: ['Allow', 'GET', ...plainText],
  });
}

function answerText(httpStatus: number, text: string): OutgoingAnswer {
  return { httpStatus, headers: plainText, body: `${text}\n` };
}
