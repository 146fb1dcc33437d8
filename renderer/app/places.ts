import type { JourneySummary } from '@shared/contract/journey';
import { titleExample } from '@shared/http-file/example-file';
import { create } from 'zustand';
import type { AppCommand } from '../session/commands';
import { navigate } from '../session/routes';
import { call } from '../transport/client';

const mostPayments = 200;

/** Requests and their examples, payments and keys to go to, as they were when the palette was opened last. */
export const usePlaces = create<{ places: readonly AppCommand[]; isReading: boolean }>(() => ({
  places: [],
  isReading: true,
}));

/** Reads them anew. What cannot be read is left out: its view says why. */
export async function loadPlaces(): Promise<void> {
  usePlaces.setState({ isReading: true });
  const read = await Promise.allSettled([readRequests(), readPayments(), readKeys()]);
  usePlaces.setState({
    places: read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    isReading: false,
  });
}

async function readRequests(): Promise<AppCommand[]> {
  const { collections } = await call('collections.list');
  const trees = await Promise.allSettled(
    collections.map(({ id }) => call('collections.tree', { collectionId: id })),
  );
  return trees
    .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    .flatMap(({ id, name, nodes }) =>
      nodes
        .filter(({ kind }) => kind === 'request' || kind === 'example')
        .map((node) => ({
          id: `open-${id}/${node.path}`,
          title: node.kind === 'example' ? titleExample(node.path) : node.name,
          // Many folders have a request of the same name.
          group: placeOf(trees.length > 1 ? name : '', node),
          run: () => navigate('requests', `@${id}/${node.path}`),
        })),
    );
}

function placeOf(collection: string, { path, kind }: { path: string; kind: string }): string {
  const place = [collection, parentOf(path)].filter(Boolean).join(' / ') || 'Open';
  return kind === 'example' ? `${place} · example` : place;
}

const parentOf = (path: string): string => path.split('/').slice(0, -1).join(' / ');

async function readPayments(): Promise<AppCommand[]> {
  const { journeys } = await call('journey.list', { limit: mostPayments });
  return journeys.map(paymentPlace);
}

const paymentPlace = ({ reference, title }: JourneySummary): AppCommand => ({
  id: `payment-${reference}`,
  title: title === '' ? reference : `${title} · ${reference}`,
  group: 'Payment',
  run: () => navigate('payments', reference),
});

/** Typing pauses so long before older payments are asked for. */
const pauseMs = 150;
const leastTyped = 3;

/** Adds payments older than those that were read ahead, by what was typed of their reference. @returns its end */
export function findPayments(typed: string): () => void {
  const search = typed.trim();
  const timer = setTimeout(() => {
    if (search.length < leastTyped) return;
    call('journey.list', { search, limit: 20 }).then(
      ({ journeys }) =>
        usePlaces.setState(({ places }) => {
          const known = new Set(places.map(({ id }) => id));
          const added = journeys.map(paymentPlace).filter(({ id }) => !known.has(id));
          return added.length === 0 ? {} : { places: [...places, ...added] };
        }),
      // Its view says why payments cannot be read.
      () => undefined,
    );
  }, pauseMs);
  return () => clearTimeout(timer);
}

async function readKeys(): Promise<AppCommand[]> {
  const { keys } = await call('keys.list');
  return keys.map(({ id, name }) => ({
    id: `key-${id}`,
    title: name,
    group: 'Key',
    run: () => navigate('keys', `key/${id}`),
  }));
}

/** Tells requests from the other places. */
export const isRequestPlace = ({ id }: AppCommand): boolean => id.startsWith('open-');
