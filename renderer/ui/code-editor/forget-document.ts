/** Drops undo history and scroll position of a document that was closed, and of its parts (`<key>:…`). */
export function forgetDocument(documentKey: string): void {
  forgetListeners.forEach((forget) => forget(documentKey));
}

const forgetListeners = new Set<(documentKey: string) => void>();

/** For the editor itself: called once it is loaded. */
export function onForgetDocument(listener: (documentKey: string) => void): void {
  forgetListeners.add(listener);
}
