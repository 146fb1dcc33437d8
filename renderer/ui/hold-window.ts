let count = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Has the window ask before it is closed or loaded anew until `work` is over: it would break off with it.
 *
 * The mark on the page tells the desktop what its question is about.
 * @returns what `work` comes to
 */
export async function holdWindow<T>(work: Promise<T>): Promise<T> {
  if (count++ === 0) window.addEventListener('beforeunload', ask);
  document.documentElement.dataset['underWay'] = '';
  try {
    return await work;
  } finally {
    if (--count === 0) {
      window.removeEventListener('beforeunload', ask);
      delete document.documentElement.dataset['underWay'];
    }
  }
}
