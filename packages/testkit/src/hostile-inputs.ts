import { endpoint, expandTemplate, toCurl } from '@watchword/endpoint';

/** Hostile texts for every input of the request builder; its tests and the benchmark use them. */
export const HOSTILE_LENGTH = 100_000;
export const HOSTILE_PATTERNS = [
  '{',
  '}',
  '{a}',
  '/',
  '/:a',
  ':',
  '%',
  '%2e',
  '.',
  '/..',
  '?',
  '#',
  '&',
  '\\',
  ' ',
  '\n',
  "'",
  '\ud800',
  'é',
  '{+a',
  'a',
  'a.',
  'a,',
  '-preview',
  'application/vnd.a',
];

export const HOSTILE_INPUTS: Readonly<Record<string, (text: string) => unknown>> = {
  template: (text) => expandTemplate(text, { a: 1 }),
  expression: (text) => expandTemplate(`{${text}}`, { a: 1 }),
  variable: (text) => expandTemplate('{a}{+a}{?a*}{a:9}', { a: text }),
  route: (text) => endpoint(text, { a: 1 }),
  'URL with a path': (text) => endpoint(`/x${text}`, { a: 1 }),
  method: (text) => endpoint(`${text} /x`),
  'base URL': (text) => endpoint('/x', { baseUrl: `https://a.example/${text}` }),
  host: (text) => endpoint('/x', { baseUrl: `https://${text}` }),
  'path variable': (text) => endpoint('/{a}/{+a}', { a: text }),
  'query parameter': (text) => endpoint('/x', { [text]: text }),
  body: (text) => endpoint('POST /x', { [text]: text }),
  'header name': (text) => endpoint('/x', { headers: { [text]: 'x' } }),
  'header value': (text) => endpoint('/x', { headers: { x: text } }),
  accept: (text) =>
    endpoint('POST /graphql', { headers: { accept: text }, mediaType: { format: 'raw', previews: ['a'] } }),
  'accept, with a format': (text) =>
    endpoint('/x', { headers: { accept: text }, mediaType: { format: 'raw' } }),
  format: (text) => endpoint('/x', { mediaType: { format: text, previews: [text] } }),
  curl: (text) => toCurl({ method: text, url: text, headers: { x: text }, body: text }),
};

/** The pattern, repeated to the length. */
export function hostileText(pattern: string, length = HOSTILE_LENGTH): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}
