/** Reads anew each time that the window comes to the front: what a command has done meanwhile, nobody tells. @returns ends it */
export function whenInFront(read: () => void): () => void {
  if (typeof window === 'undefined') return () => undefined;
  window.addEventListener('focus', read);
  return () => window.removeEventListener('focus', read);
}
