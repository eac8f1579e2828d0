import { toFetch } from '@watchword/endpoint';
import { TokenRejected } from '../errors.ts';
import type { Settings } from '../options/options.ts';
import type { AbortSignal } from '../platform/platform.ts';
import type { System } from '../platform/system.ts';
import { basicCredentials } from '../requests/basic-credentials.ts';
import { requestsTo } from '../requests/request-to.ts';
import { type Answer, send } from '../requests/send.ts';
import type { ServerAddresses } from '../requests/server-addresses.ts';
import { errorOf, unavailable } from '../requests/unavailable.ts';
import type { TokenInfo } from '../token-info.ts';
import { AnswerError, parseTokenInfo } from './parse-token-info.ts';

/** Against endless answers only: a principal with thousands of groups fits. */
const maxBytes = 1_048_576;

/** Asks about a token once. @throws TokenRejected, AuthorizationServerUnavailable */
export type Ask = (token: string, signal: AbortSignal) => Promise<TokenInfo>;

/**
 * Token info as in the contract: POST, so that the token stands in no log of addresses; any answer that the contract does
 * not know opens nothing.
 */
export function askTokenInfo(
  { key, secret }: Pick<Settings, 'key' | 'secret'>,
  addresses: ServerAddresses,
  deps: Pick<System, 'fetch' | 'now'>,
): Ask {
  const requestTo = requestsTo({
    authorization: basicCredentials(key, secret),
    'content-type': 'application/x-www-form-urlencoded',
  });

  return async (token, signal) => {
    const { tokenInfo, jsonTypeInfoIncluded } = await addresses.describe();
    const [url, init] = toFetch(
      requestTo(tokenInfo)('POST {+path}', { data: `access_token=${encodeURIComponent(token)}` }),
    );
    const { method, headers, body } = init;
    const answer = await send(url, { method, headers, body: String(body), signal }, maxBytes, deps);
    return read(answer, jsonTypeInfoIncluded);
  };

  function read(answer: Answer, jsonTypeInfoIncluded: boolean): TokenInfo {
    const { status, text } = answer;
    if (status === 200) {
      try {
        return parseTokenInfo(parseJson(text), jsonTypeInfoIncluded);
      } catch (error) {
        const detail = error instanceof AnswerError ? error.message : 'expected JSON';
        throw unavailable(answer, deps.now(), detail);
      }
    }
    if (status === 404 && errorOf(text) === 'not_found') throw new TokenRejected('unknown');
    if (status === 410 && errorOf(text) === 'token_expired') throw new TokenRejected('expired');
    throw unavailable(answer, deps.now());
  }
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) throw new AnswerError(`expected at most ${maxBytes} bytes`);
  return JSON.parse(text);
}
