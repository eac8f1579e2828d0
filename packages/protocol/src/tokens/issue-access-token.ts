import type { AccessToken } from '../model/access-token.ts';
import { creationDateFor } from '../model/client.ts';
import type { AccessTokenStore } from '../ports/access-token-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { BearerValue } from './bearer-value.ts';
import type {
  AccessTokenContent,
  AccessTokenFormat,
  FormatDependencies,
} from './formats/access-token-format.ts';
import { formatOf } from './formats/formats.ts';

/** An access token, and the text that is handed out once. */
export interface NewAccessToken {
  readonly accessToken: AccessToken;
  readonly accessTokenValue: string;
}

/** What an access token is to be issued for. */
export interface IssueRequest extends Pick<AccessTokenContent, 'client' | 'scopes' | 'confirmation'> {
  /** Absent for a client-credentials token. */
  readonly grant?: AccessTokenContent['grant'];
  /** Seconds; 0 = does not expire. Absent: the lifetime of the client's registration. */
  readonly lifetime?: number;
  /** Epoch milliseconds; 0 = does not expire. In place of a lifetime. */
  readonly expires?: number;
}

/** Issues a client-credentials token; resolves once it is durable. */
export type AccessTokenIssuer = (request: Pick<IssueRequest, 'client' | 'scopes'>) => Promise<NewAccessToken>;

export interface TokenMakingDependencies extends FormatDependencies {
  readonly clock: Clock;
}

export interface IssuerDependencies extends TokenMakingDependencies {
  readonly accessTokens: AccessTokenStore;
}

export function accessTokenIssuer({ accessTokens, ...deps }: IssuerDependencies): AccessTokenIssuer {
  return async (request) => {
    const made = newAccessToken(request, deps);
    const issued = made instanceof Promise ? await made : made;
    await accessTokens.insert(issued.accessToken);
    return issued;
  };
}

/**
 * Makes an access token and stores nothing.
 *
 * @param format that of the client's resource server
 */
export function newAccessToken(
  { client, scopes, grant, confirmation, lifetime = client.expireDuration, expires }: IssueRequest,
  deps: TokenMakingDependencies,
  format: AccessTokenFormat = formatOf(client),
): NewAccessToken | Promise<NewAccessToken> {
  const creationDate = creationDateFor(client, deps.clock.now());
  const content: AccessTokenContent = {
    client,
    grant,
    scopes,
    expires: expires ?? expiryAfter(lifetime, creationDate),
    creationDate,
    confirmation,
  };
  const written = format.write(content, deps);
  return written instanceof Promise
    ? written.then((value) => newToken(content, value))
    : newToken(content, written);
}

/**
 * @param lifetime seconds; 0 = does not expire
 * @param from epoch milliseconds
 */
export function expiryAfter(lifetime: number, from: number): number {
  return lifetime === 0 ? 0 : from + lifetime * 1000;
}

function newToken(
  { client, grant, scopes, expires, creationDate, confirmation }: AccessTokenContent,
  { id, verifierHash, value }: BearerValue,
): NewAccessToken {
  const accessToken = {
    id,
    verifierHash,
    clientRecordId: client.id,
    grantId: grant?.id,
    scopes,
    expires,
    creationDate,
  };
  const bound = confirmation === undefined ? accessToken : { ...accessToken, confirmation };
  return { accessToken: bound, accessTokenValue: value };
}
