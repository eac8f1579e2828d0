import { unexpected } from './endpoint-error.ts';

/**
 * Dot segments as URL parsers see them: RFC 3986 section 5.2.4, and %2e as the WHATWG URL standard has it; servers that take
 * `..;` for one are known, too. In a template they may stand before what can vanish. And a beginning that would be a host
 * (`//evil.example`) where only the path is looked at.
 */
const countHazards = (path: string): number =>
  path.split(/^\/\/|(?<![^/])(?:\.|%2e){1,2}(?=(?:\{[;?&#][^{}]*\})*(?:[;?#/]|$))/i).length;

/** The path of a URL or a template: a query has no segments, and may hold a secret. */
export const pathOf = (url: string): string => url.replace(/\{?[?#].*/s, '');

/** Only those of the path. What follows the path of a template can vanish. */
const hazardsOf = (url: string): number => countHazards(url) - countHazards(url.slice(pathOf(url).length));

/**
 * What is asked of every URL without its origin. Most have neither a dot segment nor a host, as the first test finds at once. What
 * does not begin with a slash would lengthen the host before it: `.evil.example`, `@evil.example`. The author of a route may climb
 * with `..`; a value may not add to that.
 * @throws EndpointError `UNSAFE_VALUE`
 */
export const checkPath = (template: string, url: string): void => {
  if (/^[^/]|\/[.%/]/.test(url) && (/^[^/?#]/.test(url) || hazardsOf(url) > hazardsOf(template))) {
    throw unexpected('UNSAFE_VALUE', 'no dot segments and no host', pathOf(url));
  }
};

/**
 * The text after as many percent-decodings as there can be. A byte is a character here. URL parsers drop tabs and ends of lines
 * (https://url.spec.whatwg.org/#url-parsing), and programs in C end a text at NUL.
 * @param times how often at most: what is still encoded then is meant to hide something
 */
const decodeAll = (text: string, times = 20): string => {
  const decoded = text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(+`0x${hex}`));
  if (decoded !== text) return times ? decodeAll(decoded, times - 1) : '/..';
  return text
    .replace(/[\t\n\r]/g, '')
    .replace(/\0/g, ';')
    .replace(/\\/g, '/');
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
    throw unexpected('UNSAFE_VALUE', 'no dot segments and no slash', path);
  }
};
