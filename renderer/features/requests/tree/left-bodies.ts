import type { MethodOutput } from '@shared/contract/contract';
import { listSome } from '@shared/list-some';

/**
 * Says of what came from another collection which files of bodies are apart from their requests now: nothing is sent from outside.
 *
 * @returns empty: none are
 */
export function describeLeftBodies({ leftBodies }: MethodOutput<'collections.move'>): string {
  if (leftBodies === undefined) return '';
  const { bodies, requests } = leftBodies;
  const [first, ...more] = bodies;
  const apart =
    more.length > 0
      ? ` Files of its bodies stay where they were, and are not sent from here: copy them into this collection, and name them instead of ${listSome(bodies)}.`
      : first === undefined
        ? ''
        : ` The file of its body stays where it was, and is not sent from here: copy it into this collection, and name it instead of ${first}.`;
  if (requests.length === 0) return apart;
  return `${apart} Requests that stay name files in it, which are not sent from there any more: ${listSome(requests)}.`;
}
