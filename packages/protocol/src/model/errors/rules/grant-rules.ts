import { withHidden } from '../../hidden-characters.ts';
import { quotedUrl } from '../../quoted.ts';
import { formatScope, type Scopes } from '../../scope.ts';
import type { ErrorRule } from './error-rule.ts';
import { expiredAt, type Times, timesOf } from './times.ts';

const again = 'Send the user through the authorization endpoint again.';
const invalidCode = 'The authorization code is not valid.';
const expiredCode = 'The authorization code has expired.';
const invalidRefreshToken = 'The refresh token is not valid.';

/** The beginnings of the challenges of the authorization request, and of the verifier. */
export interface VerifierMismatch {
  readonly expected: string;
  readonly came: undefined | 'malformed' | { readonly challenge: string };
}

export interface Presented {
  readonly of: 'code' | 'refresh token';
}

export interface ShownToken {
  /** `undefined` for a text without the form of a refresh token of this server: it can be anything. */
  readonly fingerprint: string | undefined;
}

/** Rules of codes, refresh tokens and their grants. */
export const grantRules = {
  known_code: {
    requirement: 'A code is an authorization code that the server has issued to the client.',
    section: 'RFC 6749 §4.1.3',
    advice: `The application must send the code as it came, decoded once, with the client that requested it. ${again}`,
    /** `fingerprint` of the code, if it has the form of one of this server. */
    refusal: ({ fingerprint }: { readonly fingerprint: string | undefined }) =>
      fingerprint === undefined
        ? {
            description: invalidCode,
            reason: 'The parameter code is not an authorization code of this server.',
          }
        : {
            description: invalidCode,
            // The same for the code of another client: a record owner must not learn that a stolen code is valid.
            reason:
              'The client has no such authorization code. It can be that of another client, or have expired some time ago.',
            came: `a code with the fingerprint ${fingerprint}`,
          },
  },
  code_redirect_uri: {
    requirement: 'The redirect_uri of a token request is that of the authorization request.',
    section: 'RFC 6749 §4.1.3',
    advice:
      'Send the same text in both requests. Look for a slash at the end, http in place of https, and another port.',
    /** The redirect URIs of the authorization request and of the token request. */
    refusal: ({ asked, sent }: { readonly asked: string | undefined; readonly sent: string | undefined }) => {
      const [expected, came] = [asked, sent].map((uri) =>
        uri === undefined ? 'no redirect_uri' : `redirect_uri ${quotedUrl(uri)}`,
      );
      return {
        description: withHidden('The redirect_uri is not that of the authorization request.', sent ?? ''),
        reason: `The token request has ${came}, the authorization request had ${expected}.`,
        expected,
        came,
      };
    },
  },
  code_verifier: {
    requirement:
      'The SHA-256 digest of the code_verifier is the code_challenge of the authorization request.',
    section: 'RFC 7636 §4.6',
    advice:
      'The application must keep the verifier of this login until the token request: look for two logins that share one place, or a lost session.',
    refusal: ({ expected, came }: VerifierMismatch) => ({
      description: 'The code_verifier does not match the code_challenge.',
      reason:
        came === undefined
          ? 'The authorization request had a code_challenge, but the token request has no code_verifier.'
          : undefined,
      expected: verifierOf(expected),
      came:
        came === undefined
          ? 'no code_verifier'
          : came === 'malformed'
            ? 'a code_verifier that is not 43 to 128 characters of A-Z a-z 0-9 - . _ ~'
            : verifierOf(came.challenge),
    }),
  },
  code_challenge_first: {
    requirement: 'A code_verifier comes only after a code_challenge, and a public client has both.',
    section: 'RFC 9700 §4.8.2',
    advice: `Send a code_challenge in the authorization request. ${again}`,
    refusal: ({ hasVerifier }: { readonly hasVerifier: boolean }) => ({
      description: 'The authorization request had no code_challenge.',
      expected: 'a code_challenge in the authorization request',
      came: `none; the token request has ${hasVerifier ? 'a' : 'no'} code_verifier`,
    }),
  },
  unused_code: {
    requirement: 'A code is redeemed once.',
    section: 'RFC 6749 §4.1.2',
    advice: `The application must not repeat the token request, also not when the user reloads the page. Everything that was issued for the code is revoked. ${again}`,
    refusal: ({ fingerprint }: { readonly fingerprint: string }) => ({
      description: 'The authorization code was redeemed before; everything issued for it is revoked.',
      expected: 'a code that was not redeemed',
      came: `the redeemed code with the fingerprint ${fingerprint}`,
    }),
  },
  code_lifetime: {
    requirement: 'A code is redeemed within its lifetime.',
    section: 'RFC 6749 §4.1.2',
    advice: 'Redeem the code at once. The setting code.lifetime is its lifetime in seconds.',
    refusal: (times: Times) => ({
      description: expiredCode,
      reason: expiredAt('The authorization code', times),
      ...timesOf('the authorization code', times),
    }),
  },
  active_grant: {
    requirement: 'The grant of a code or token has not ended.',
    section: 'RFC 6749 §5.2',
    command: 'watchword grant list --client {client}',
    advice: again,
    refusal: () => ({ description: invalidCode, reason: 'The grant of the authorization code has ended.' }),
  },
  configured_provider: {
    requirement: 'The identity provider of the user is one that the server has now.',
    command: 'watchword identity-provider list',
    advice: 'Configure the identity provider again, or let the user log in by another one.',
    /** What was presented, if the provider is not one; or its metadata, which can say that it is. */
    refusal: ({ of }: Presented | { readonly of: 'metadata' }) =>
      of === 'metadata'
        ? { description: 'The metadata of the identity provider could not be loaded yet.' }
        : {
            description: of === 'code' ? invalidCode : invalidRefreshToken,
            reason: 'The identity provider with which the resource owner logged in is no longer configured.',
          },
  },
  unrevoked: {
    requirement: 'A code or token was issued after all tokens of its client were revoked the last time.',
    section: 'RFC 7009 §2.1',
    advice: again,
    refusal: ({ of }: Presented) => ({
      description: of === 'code' ? expiredCode : invalidRefreshToken,
      reason: 'It was issued before all tokens of the client were revoked.',
    }),
  },
  known_refresh_token: {
    requirement: 'A refresh token is one that the server has issued to the client, and is not revoked.',
    section: 'RFC 6749 §6',
    advice: `Look whether two instances of the application share a token, or an older token was restored. ${again}`,
    refusal: (token: ShownToken) => ({
      description: invalidRefreshToken,
      // The same for the token of another client: a record owner must not learn that a stolen token is valid.
      reason:
        'The client has no such refresh token. It can be that of another client, be revoked, or have expired some time ago.',
      came: shownToken(token),
    }),
  },
  refresh_token_lifetime: {
    requirement: 'A refresh token is used before it expires.',
    section: 'RFC 6749 §6',
    advice: `The settings refresh.idleLifetime and refresh.lifetime are the lifetimes in seconds. ${again}`,
    refusal: (times: Times) => ({
      description: invalidRefreshToken,
      reason: expiredAt('The refresh token', times),
      ...timesOf('the refresh token', times),
    }),
  },
  unused_refresh_token: {
    requirement: 'A refresh token is used once: each answer brings the next one.',
    section: 'RFC 9700 §4.14.2',
    advice: `Store the token of each answer before anything else, and let only one request refresh at a time. If the grant was revoked, another application can have the token. ${again}`,
    /** What becomes of the grant: nothing, nothing after too many repetitions, or it is revoked. */
    refusal: ({ then, ...token }: ShownToken & { readonly then: 'nothing' | 'too often' | 'revoked' }) => ({
      ...{
        nothing: { description: invalidRefreshToken, reason: 'The refresh token was used before.' },
        'too often': {
          description: 'The refresh token was used too often; use the one that was issued for it.',
        },
        revoked: { description: 'The refresh token was used before; everything issued for it is revoked.' },
      }[then],
      expected: 'the refresh token of the last answer',
      came: `${shownToken(token)}, which was used before`,
    }),
  },
  same_scope_again: {
    requirement: 'A refresh request is repeated only with the same scope and resource.',
    section: 'RFC 6749 §6',
    advice: 'Use the token of the answer for a request with another scope or resource.',
    refusal: ({ answered, requested }: { readonly answered: Scopes; readonly requested: Scopes }) => ({
      description: 'A refresh token that was used is answered again only with the same scope and resource.',
      expected: formatScope(answered),
      came: formatScope(requested),
    }),
  },
} as const satisfies Record<string, ErrorRule>;

function verifierOf(challenge: string): string {
  return `a code_verifier whose S256 challenge begins with ${challenge}…`;
}

function shownToken({ fingerprint }: ShownToken): string {
  return fingerprint === undefined
    ? 'a text that is no refresh token of this server'
    : `a refresh token with the fingerprint ${fingerprint}`;
}
