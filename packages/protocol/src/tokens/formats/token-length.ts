import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { answeredScope } from '../../model/targeted-scope.ts';
import type { AccessTokenContent } from './access-token-format.ts';

/**
 * Characters that an access token has at most, here and in the SDK. With the other headers of a request it fits into 16 KiB, which is what
 * Node.js and most proxies take.
 */
export const longestAccessToken = 14_336;

const near = longestAccessToken * 0.8;

/** Called for each token of the client that comes near the greatest length. */
export type NearsLongest = (client: Client, characters: number) => void;

/**
 * Checks the length of a JWT that is about to be issued. Whoever wrote it decides: a client can ask for fewer scopes, and can do nothing about
 * the roles and groups of a user.
 *
 * @throws RedirectableError `invalid_scope` if the scopes make it too long, else `server_error`
 */
export function checkLength(
  { length }: string,
  { client, scopes }: Pick<AccessTokenContent, 'client' | 'scopes'>,
  nearsLongest: NearsLongest,
): void {
  if (length > near) nearsLongest(client, length);
  if (length <= longestAccessToken) return;
  // Three octets of the claims are four characters.
  const ofScopes = Math.ceil((answeredScope(scopes).length * 4) / 3);
  const isByScopes = length - ofScopes <= longestAccessToken;
  const facts = {
    clientId: client.clientId,
    length,
    ofScopes,
    scopes: scopes.length,
    longest: longestAccessToken,
  };
  throw new RedirectableError(
    isByScopes ? 'invalid_scope' : 'server_error',
    because('access_token_length', { ...facts, isByScopes }),
  );
}
