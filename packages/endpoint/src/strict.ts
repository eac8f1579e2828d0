import { unexpected } from './endpoint-error.ts';
import { countHazards, pathOf } from './route.ts';

/** What is still encoded after so many decodings is meant to hide something. */
const MOST_DECODINGS = 20;

/**
 * The text after as many percent-decodings as there can be. A byte is a character here. URL parsers drop tabs and ends of lines
 * (https://url.spec.whatwg.org/#url-parsing), and programs in C end a text at NUL.
 */
const decodeAll = (text: string): string => {
  let decoded = text;
  for (let times = 0; times < MOST_DECODINGS; times++) {
    const before = decoded;
    decoded = decoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
    if (decoded === before) {
      return decoded
        .replace(/[\t\n\r]/g, '')
        .replace(/\0/g, ';')
        .replace(/\\/g, '/');
    }
  }
  return '/..';
};

const count = (text: string): number => text.split('/').length;

/**
 * What strict mode asks of a path, expanded, beyond the rules for all.
 * @throws EndpointError `UNSAFE_VALUE` for a value that a server, or one behind it, could decode to a slash or a dot segment;
 * `INVALID_TEMPLATE` for what looks like a placeholder and is none
 */
export const checkStrictly = (template: string, path: string): void => {
  const unknown = /^[^?#{]*\/:[^/?#{]*/.exec(template.replace(/\{[^?#{}]*\}/g, '_'))?.[0];
  if (unknown) throw unexpected('INVALID_TEMPLATE', 'placeholders of whole segments', unknown);
  // What the author writes into the query excuses no value of the path.
  const own = pathOf(template);
  const [text, wanted] = [decodeAll(path), decodeAll(own)];
  if (count(text) - count(path) > count(wanted) - count(own) || countHazards(text) > countHazards(wanted)) {
    throw unexpected('UNSAFE_VALUE', 'no slash and no dot segment after any decoding', path);
  }
};
