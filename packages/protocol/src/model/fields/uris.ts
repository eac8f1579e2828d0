import { redirectUriProblem } from '../redirect-uri.ts';
import type { TextKind } from './kind.ts';
import { maxTextLength } from './problems.ts';

export const uriKind = { type: 'text', maxLength: maxTextLength } as const satisfies TextKind;

/** Of a URI that the server or a browser requests at logout: https, or http on a loopback host; the empty text is none. */
export function logoutUriProblems(uri: string): Iterable<string> {
  return uriProblems(uri, /^https?:/i, 'is not an https URL, nor an http URL on a loopback host');
}

/** Of a URI whose document the server requests; the empty text is none. */
export function httpsUriProblems(uri: string): Iterable<string> {
  return uriProblems(uri, /^https:/i, 'is not an https URL');
}

function* uriProblems(uri: string, scheme: RegExp, otherScheme: string): Iterable<string> {
  if (uri === '') return;
  const problem = redirectUriProblem(uri);
  if (problem !== undefined) yield problem;
  else if (!scheme.test(uri)) yield otherScheme;
}
