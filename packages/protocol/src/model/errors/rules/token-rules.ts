import { withHidden } from '../../hidden-characters.ts';
import { listed, quoted } from '../../quoted.ts';
import type { Scopes } from '../../scope.ts';
import type { ErrorRule } from './error-rule.ts';
import { expiredAt, type Times, until } from './times.ts';

export interface TokenLength {
  readonly clientId: string;
  readonly length: number;
  readonly ofScopes: number;
  readonly isByScopes: boolean;
  readonly scopes: number;
  readonly longest: number;
}

/** Rules of scopes and access tokens. */
export const tokenRules = {
  scope_syntax: {
    requirement: 'A scope is a list of scope tokens, separated by spaces.',
    section: 'RFC 6749 §3.3',
    advice:
      'Correct the parameter. For clients that separate scopes by commas there is the setting scope.commaSeparated.',
    /** The scope that is no list of tokens, or the greatest number of tokens, if it has more. */
    refusal: (facts: { readonly scope: string } | { readonly most: number }) =>
      'most' in facts
        ? { description: `The scope has more than ${facts.most} tokens.` }
        : {
            description: withHidden('The scope must be scope tokens separated by spaces.', facts.scope),
            reason: `The scope must be scope tokens separated by spaces; the request has ${quoted(facts.scope)}.`,
            came: quoted(facts.scope),
          },
  },
  available_scope: {
    requirement: 'A request asks only for scopes that the client, or the grant of the user, has.',
    section: 'RFC 6749 §3.3',
    command: 'watchword client update {client} --scope SCOPE',
    advice:
      'Give the client the scope: name all of its scopes, because they replace the registered ones. Its resource server must have each of them. For scopes of OpenID Connect the option is --openid-scope; those of another resource server need the parameter resource. A refresh gets no more than the user has consented to.',
    refusal: ({ missing, available }: { readonly missing: string; readonly available: Scopes }) => ({
      description: 'A requested scope is not one that the client may be given.',
      reason: `The request asks for the scope ${quoted(missing)}. It can be granted: ${listed(available)}.`,
      expected: listed(available),
      came: quoted(missing),
    }),
  },
  access_token_length: {
    requirement:
      'An access token has at most 14,336 characters, so that requests with it pass servers and proxies.',
    command: 'watchword client show {client}',
    advice:
      'Let the application ask for fewer scopes, or shorten their names. Roles and groups of the user are in a JWT too: let the authentication module return fewer. Opaque access tokens (accessTokenFormat of the resource server) are always short.',
    /** Characters of the token, of its scopes in it, and at most. */
    refusal: ({ clientId, length, ofScopes, isByScopes, scopes, longest }: TokenLength) => ({
      description: isByScopes
        ? 'The access token would be too long with these scopes; ask for fewer.'
        : 'The access token of this user would be too long.',
      reason: `The access token of the client ${clientId} would have ${length} characters; its ${scopes} scopes are about ${ofScopes} of them.`,
      expected: `an access token of at most ${longest} characters`,
      came: `${length} characters, about ${ofScopes} of them for ${scopes} scopes`,
    }),
  },
  known_token: {
    requirement:
      'A token is one that the server has issued, that is not revoked, and that is for the caller.',
    section: 'RFC 7662 §2.2',
    advice: 'The client of the resource server must get a new token.',
  },
  token_of_resource_server: {
    requirement: 'A resource server asks only about tokens that are for it.',
    section: 'RFC 7662 §4',
    command: 'watchword resource-server show {resourceServer}',
    advice:
      'The client belongs to the resource server that the command shows. The application sends the token to another API than it was requested for, which the parameter resource names, or the API authenticates with the key of another resource server.',
    /** The keys of the resource servers of the token, and of the one that asks, if the client and that have one owner. */
    refusal: ({
      keys,
      asking,
    }: {
      readonly keys: readonly string[];
      readonly asking: string | undefined;
    }) => ({
      reason: 'A resource server asked about an access token of the client that is not for it.',
      expected: `the resource server ${listed(keys)}`,
      // The record owner of the client reads this, and cannot see the records of others.
      came: asking === undefined ? 'a resource server of another owner' : `the resource server ${asking}`,
    }),
  },
  token_lifetime: {
    requirement: 'An access token is used before it expires.',
    section: 'RFC 6750 §3.1',
    command: 'watchword client update {client} --expire-duration SECONDS',
    advice:
      'The application must get a new token in time, by expires_in of the token response. The command changes the lifetime of new tokens.',
    refusal: (times: Pick<Times, 'expires'>) => ({
      reason: expiredAt('The resource server asked about an access token that', times),
      expected: until('the access token', times),
    }),
  },
  bearer_token: {
    requirement: 'A request has an access token in the Authorization header, after Bearer.',
    section: 'RFC 6750 §2.1',
    advice: 'Send the header. A proxy must pass it on.',
  },
  valid_bearer_token: {
    requirement:
      'The access token of a request is valid here: not expired, not revoked, and of a client of this API.',
    section: 'RFC 6750 §3.1',
    advice:
      'Get a new token. For the administration interface, its client belongs to authorization-server-admin.',
  },
  one_bearer_token: {
    requirement: 'A request has its access token in one place.',
    section: 'RFC 6750 §2',
    advice: 'Send the token in the Authorization header alone.',
    refusal: () => ({
      description: 'The access token belongs into the Authorization header and nowhere else.',
    }),
  },
  sufficient_scope: {
    requirement: 'The access token of a request has the scope that the address needs.',
    section: 'RFC 6750 §3.1',
    command: 'watchword client update {client} --scope SCOPE',
    advice:
      'Ask for the scope when the token is requested; the client must have it. The command replaces all scopes of the client.',
  },
} as const satisfies Record<string, ErrorRule>;
