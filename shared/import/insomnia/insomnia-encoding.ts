import { encodeForUrl } from '../../encode-for-url';
import { encodeAroundVariables, encodeFilledIn } from '../variables';

/** What is encoded already; a blank is the same either way. */
const encoded = /(%[\da-f]{2})/gi;

const encodeOnce = (text: string): string =>
  text
    .split(encoded)
    .map((part, index) => (index % 2 === 1 ? part : encodeForUrl(part)))
    .join('');

/** Encodes a name as Insomnia does: what is encoded already stays. */
export const encodeInsomniaName = (text: string): string => encodeFilledIn(text, encodeOnce);

/** A value keeps its commas besides. */
export const encodeInsomniaValue = (text: string): string => encodeInsomniaName(text).replace(/%2C/gi, ',');

/** Insomnia was told to encode nothing: what would end a pair early for us is encoded all the same. */
export const keepRaw = (text: string): string =>
  encodeAroundVariables(text, (part) => part.replace(/[\s#]/g, encodeForUrl));

/** The value of a variable of a path, which is one step of it whatever it holds. */
export const encodeStep = (text: string): string => encodeFilledIn(text, encodeForUrl);
