/** The header in which the page proves itself to the web host, beside its cookie. It never rides in a cookie. */
export const proofHeader = 'x-countersign-proof';

/** How the fragment begins in which a page gets its proof, once; fragments are not sent to servers. */
export const proofFragment = '#proof=';
