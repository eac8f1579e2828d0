import { isWebAddress, redirectUriProblem, shown } from '@watchword/protocol';
import type { NoteTaker } from './translation.ts';

/**
 * The redirect URIs that a client can have here.
 *
 * @param base of relative ones; empty if there is none
 */
export function redirectUrisOf(given: readonly string[], base: string, note: NoteTaker): string[] {
  const uris = given.map((uri) =>
    uri.startsWith('/') && base !== '' ? base.replace(/\/+$/, '') + uri : uri,
  );
  const taken = uris.filter((uri) => {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) note.leftOut.push(`redirect URI ${shown(uri, 200)}: ${problem}`);
    return problem === undefined;
  });
  if (taken.length < uris.length) note.mustDo.push('register each exact address to which users return');
  return [...new Set(taken)];
}

/** Whether a confidential client, which has the hybrid flow at the old server, can have it here. */
export function canBeHybrid(redirectUris: readonly string[], note: NoteTaker): boolean {
  if (redirectUris.length > 0 && redirectUris.every(isWebAddress)) return true;
  note.leftOut.push('the hybrid flow: a redirect URI is not https, or has a loopback host');
  return false;
}
