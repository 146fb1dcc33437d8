/** Pictures of the docs (`docs/images`), by the name that they have there: pictures of the gallery. */
export const docsPictures = {
  'requests-light': 'requests-full-wide-light',
  'inbox-dark': 'inbox-full-wide-dark',
  'signature-lab-light': 'lab-full-wide-light',
  'sandbox-light': 'sandbox-full-wide-light',
  'balances-dark': 'balances-full-wide-dark',
};

/** The moving one, which is taken in an app of its own. */
export const movingPicture = 'a-payment';
