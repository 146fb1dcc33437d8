import { laterModule } from '../../../ui/later';

/** What is known of the fields of each operation's body: a request stands there before anybody asks for it. */
export const loadBodyKnowledge = laterModule(() => import('./body-knowledge'));
