import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { later } from '../ui/later';
import { loadPlaces } from './places';
import { useShellCommands, type PaletteContent } from './shell-commands';

/** Places are read ahead once the first view stands there, so that whoever types fast finds them. */
const firstLoadMs = 2000;

const CommandSearch = later(async () => (await import('./command-search')).CommandSearch);

/** Ctrl/Cmd+K or F1: everything that can be done or gone to, by name. Ctrl/Cmd+P: requests alone. */
export function CommandPalette() {
  const [content, setContent] = useState<PaletteContent | null>(null);
  useShellCommands(setContent);
  useEffect(() => {
    const timer = setTimeout(() => void loadPlaces(), firstLoadMs);
    return () => clearTimeout(timer);
  }, []);
  // Whoever goes back in the browser has left what it lies over. That the view was changed before is told late.
  useEffect(() => {
    if (content === null) return undefined;
    const { hash } = location;
    const close = (): void => {
      if (location.hash !== hash) setContent(null);
    };
    window.addEventListener('hashchange', close);
    return () => window.removeEventListener('hashchange', close);
  }, [content]);
  return (
    <Dialog
      title={content === 'requests' ? 'Open a request' : 'Commands'}
      isOpen={content !== null}
      onClose={() => setContent(null)}
      width="palette"
    >
      <CommandSearch content={content ?? 'all'} onDone={() => setContent(null)} />
    </Dialog>
  );
}
