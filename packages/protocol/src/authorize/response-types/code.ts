import { type OAuthErrorDetails, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { type Client, isPublicClient } from '../../model/records/client.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { AuthorizationCodeStore } from '../../ports/stores/authorization-code-store.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { isCodeChallenge } from '../../rules/pkce.ts';
import { createBearerValue } from '../../tokens/bearer-value.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';
import type { GrantedRequest, ResponseType } from './response-type.ts';

export interface CodeDependencies {
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Seconds until an authorization code expires. */
  readonly codeLifetime: number;
}

/** PKCE (RFC 7636 §4.3). */
interface Pkce {
  /** S256. */
  readonly codeChallenge?: string;
}

/** The authorization code grant (RFC 6749 §4.1). */
export function codeResponseType(deps: CodeDependencies): ResponseType<Pkce> {
  return {
    name: 'code',
    responseModes: ['query', 'fragment', 'form_post'],
    mayOmitRedirectUri: true,
    issuesIdToken: false,
    metadata: { code_challenge_methods_supported: ['S256'] },
    isAllowedFor: () => true,
    read: readPkce,
    issue: (granted, pkce) => issueCode(granted, pkce, deps),
  };
}

/** Public clients must use PKCE, other clients can (RFC 9700 §2.1.1). */
function readPkce(parameters: AuthorizationParameters, client: Client): Pkce | RedirectableError {
  const codeChallenge = firstValue(parameters, 'code_challenge');
  const method = firstValue(parameters, 'code_challenge_method');
  if (codeChallenge === undefined && method === undefined && !isPublicClient(client)) return {};
  const invalid = (why: OAuthErrorDetails) => new RedirectableError('invalid_request', why);
  if (codeChallenge === undefined) {
    const facts = { isPublic: isPublicClient(client), hasMethod: method !== undefined };
    return invalid(because('pkce_challenge', facts));
  }
  if (method !== 'S256') return invalid(because('pkce_method', { method }));
  if (!isCodeChallenge(codeChallenge)) return invalid(because('pkce_challenge_form', { codeChallenge }));
  return { codeChallenge };
}

/** RFC 6749 §4.1.2. */
async function issueCode(
  { client, grant, session, event, redirectUri, openid, answer, consent }: GrantedRequest,
  { codeChallenge }: Pkce,
  deps: CodeDependencies,
): Promise<ResponseParameters | undefined> {
  const { authorizationCodes, random, codeLifetime } = deps;
  const { scopes, creationDate } = grant;
  const { value, id, verifierHash } = createBearerValue('code', creationDate, random, grant.id, answer?.id);
  const isStored = await authorizationCodes.insert(
    {
      id,
      verifierHash,
      grantId: grant.id,
      clientRecordId: client.id,
      redirectUri,
      codeChallenge,
      ...(openid?.nonce !== undefined && { nonce: openid.nonce }),
      scopes,
      expires: creationDate + codeLifetime * 1000,
      creationDate,
    },
    grant,
    { session, event, consent },
  );
  return isStored ? { code: value } : undefined;
}
