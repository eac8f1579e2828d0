import type { Requests } from './http-load.ts';
import { type RegisteredClient, refreshRequest, refreshTokenOf } from './token-requests.ts';

/**
 * Refresh requests, each with the refresh token of the answer before on its connection.
 *
 * @param first the refresh token of each connection
 */
export function rotations(
  port: number,
  first: readonly string[],
  client: RegisteredClient,
  path?: string,
): Requests {
  const tokens = [...first];
  return {
    next: (connection) => refreshRequest(port, tokens[connection] ?? '', client, path),
    answered(connection, body) {
      tokens[connection] = refreshTokenOf(body);
    },
  };
}

/** So many refresh tokens. @param grant resolves with the answer to a token request */
export async function refreshTokens(count: number, grant: () => Promise<string>): Promise<readonly string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) tokens.push(refreshTokenOf(await grant()));
  return tokens;
}
