/** How a pointer begins that Git LFS leaves in the place of a file. @source git-lfs, docs/spec.md */
export const lfsBeginning = /^version https:\/\/git-lfs\.github\.com\/spec\//;
const mostCharacters = 1024;

/** Tells whether a text is what Git LFS leaves where the file itself was not fetched. */
export const isLfsPointer = (text: string): boolean =>
  text.length <= mostCharacters && lfsBeginning.test(text);

/** What one is, and what is to be done about it. */
export const POINTER = 'a pointer of Git LFS, and the file itself was not fetched: run git lfs pull';
/** The same, behind what names it. */
export const FETCH_LFS = `is ${POINTER}.`;
