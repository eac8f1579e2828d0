import type { ErrorRule } from '../errors/rules/error-rule.ts';
import { quotedUrl } from '../quoted.ts';
import { isLoopbackHost, redirectUriProblem } from '../redirect-uri.ts';
import { shellWord } from '../shell-word.ts';
import { fapi, fapiRules } from './fapi-rules.ts';
import type { ProfileRule } from './profile-rule.ts';

// Newest versions when the table was written. MCP Authorization is OAuth 2.1 with rules of its own, so each rule names both.
const oauth = (section: string) => `OAuth 2.1 (draft 16) §${section}`;
const mcp = (section: string) => `MCP Authorization (2026-07-28), ${section}`;

const webOnly = /^https?:/i;

/**
 * Every rule of the profiles. Registration, requests, metadata, `lint` and the administration GUI read it. What this server asks of
 * every client whatever the profile is no rule here: S256, redirect URIs character by character, rotated refresh tokens, `iss`.
 */
export const profileRules = {
  profile_code_flow: {
    sections: {
      'oauth-2.1': `${oauth('10.1')}, RFC 9700 §2.1.2`,
      mcp: mcp('Overview'),
      'fapi-2.0': fapi('5.3.2.2'),
    },
    requirement:
      'No token comes from the authorization endpoint: the response type is code, and no client can use the implicit grant or the hybrid flow.',
    command: 'watchword lint',
    advice:
      'Use response_type=code with PKCE in the application, then take the implicit grant and the hybrid flow away from the client.',
    client: {
      broken: ({ allowedImplicitGrant, allowedHybrid }) => [
        ...(allowedImplicitGrant
          ? [{ field: 'allowedImplicitGrant', problem: 'is true, but nobody can use the implicit grant' }]
          : []),
        ...(allowedHybrid
          ? [{ field: 'allowedHybrid', problem: 'is true, but nobody can use the hybrid flow' }]
          : []),
      ],
      mend: ({ allowedHybrid }) =>
        `watchword client update {client} ${allowedHybrid ? '--allow-hybrid' : '--allow-implicit-grant'} false`,
    },
    requests: {
      authorization: {
        error: 'unsupported_response_type',
        refusal: ({ responseType }) =>
          responseType === 'code'
            ? undefined
            : {
                description: 'The server supports the response type code alone.',
                expected: 'response_type=code',
                came: `response_type=${responseType}`,
              },
      },
    },
  },
  profile_signed_request_objects: {
    sections: { 'oauth-2.1': 'RFC 9101 §4', mcp: 'RFC 9101 §4', 'fapi-2.0': 'RFC 9101 §4' },
    requirement: 'A request object has a signature.',
    command: 'watchword client update {client} --request-object-signing-alg ALGORITHM',
    advice: 'Register keys of the client, and let its library sign request objects.',
    client: {
      broken: ({ requestObjectSigningAlg }) =>
        requestObjectSigningAlg === 'none'
          ? [{ field: 'requestObjectSigningAlg', problem: 'is none, but a request object needs a signature' }]
          : [],
      mend: () => 'watchword client update {client} --request-object-signing-alg ALGORITHM',
    },
    requests: {
      requestObject: {
        error: 'invalid_request_object',
        refusal: ({ algorithm }) =>
          algorithm === 'none'
            ? {
                description: 'The request object has no signature, and this server takes signed ones alone.',
                expected: 'a signed request object',
                came: 'alg none',
              }
            : undefined,
      },
    },
  },
  profile_pkce: {
    sections: {
      'oauth-2.1': `${oauth('7.5.1')}, RFC 9700 §2.1.1`,
      mcp: mcp('Authorization Code Protection'),
      'fapi-2.0': fapi('5.3.2.2'),
    },
    requirement: 'Every client uses PKCE for its codes, a confidential one too.',
    advice: 'Switch PKCE on in the library of the application.',
    requests: {
      authorization: {
        error: 'invalid_request',
        refusal: ({ responseType, hasChallenge }) =>
          responseType !== 'code' || hasChallenge
            ? undefined
            : {
                description: 'The parameter code_challenge is missing; every client must use PKCE.',
                expected: 'code_challenge and code_challenge_method=S256',
                came: 'no code_challenge',
              },
      },
      code: {
        error: 'invalid_grant',
        refusal: ({ hasChallenge }) =>
          hasChallenge
            ? undefined
            : {
                reason: 'The authorization request of the code had no code_challenge.',
                expected: 'a code of a request with code_challenge',
                came: 'a code of a request without',
              },
      },
    },
  },
  profile_redirect_uri: {
    sections: {
      'oauth-2.1': `${oauth('2.3.1')}, RFC 9700 §2.1`,
      mcp: mcp('Communication Security'),
      'fapi-2.0': fapi('5.3.2.2'),
    },
    requirement:
      'A redirect URI is a whole address without fragment or wildcard: https, http on a loopback host, or a private-use scheme such as com.example.app.',
    command: 'watchword lint',
    advice: 'Give the application an address with https, and register it in place of the other.',
    client: redirectUris((uri) => redirectUriProblem(uri)),
    requests: {
      redirectUri: {
        error: 'invalid_request',
        refusal: (uri) => refusedRedirectUri(uri, redirectUriProblem(uri)),
      },
    },
  },
  profile_web_redirect_uri: {
    sections: { mcp: mcp('Communication Security') },
    requirement:
      'A redirect URI begins with https, or with http on a loopback host: none has a private-use scheme.',
    command: 'watchword lint --profile mcp',
    advice: 'Let the application listen on a loopback port, or give it an address with https.',
    client: redirectUris(privateUseProblem),
    requests: {
      redirectUri: {
        error: 'invalid_request',
        refusal: (uri) => refusedRedirectUri(uri, privateUseProblem(uri)),
      },
    },
  },
  profile_resource: {
    sections: { mcp: `${mcp('Resource Parameter Implementation')}, RFC 8707 §2` },
    requirement: 'Authorization requests and token requests name the resource that the token is for.',
    advice: 'Send the URI of the API in the parameter resource, as its protected resource metadata has it.',
    requests: {
      authorization: { error: 'invalid_target', refusal: missingResource },
      token: { error: 'invalid_target', refusal: missingResource },
    },
  },
  profile_resource_uri: {
    sections: { mcp: mcp('Canonical Server URI') },
    requirement: 'A resource server has a URI by which requests can name it.',
    command: 'watchword lint --profile mcp',
    advice: 'Add the address of the API to its resources; administrators alone can.',
    resourceServer: {
      broken: ({ resources }) =>
        resources.length > 0 ? [] : [{ field: 'resources', problem: 'is empty, so no request can name it' }],
      mend: () => 'watchword resource-server update {resourceServer} --resource URI',
    },
  },
  profile_token_in_body: {
    sections: {
      'oauth-2.1': `${oauth('5.1')}, RFC 9700 §4.3.2`,
      mcp: mcp('Token Requirements'),
      'fapi-2.0': fapi('5.3.4'),
    },
    requirement: 'No access token is in the query of an address, where it would stand in logs.',
    advice: 'Ask by POST, with access_token in a form body, or by introspection.',
    requests: {
      tokenInfo: {
        error: 'invalid_request',
        refusal: ({ hasTokenInQuery }) =>
          hasTokenInQuery
            ? {
                description: 'The access token must not be in the query; send a form by POST.',
                expected: 'POST with access_token in a form body',
                came: 'access_token in the query',
              }
            : undefined,
      },
    },
  },
  profile_https: {
    sections: { 'oauth-2.1': oauth('1.5'), mcp: mcp('Communication Security'), 'fapi-2.0': fapi('5.2.2') },
    requirement: 'Clients reach the server by https, or on a loopback host.',
    advice: 'Put a proxy with a certificate in front of the server, and set baseUrl to its https address.',
    settings: ({ baseUrl }) =>
      baseUrl.startsWith('https:') || isLoopbackHost(new URL(baseUrl).hostname)
        ? undefined
        : { field: 'baseUrl', problem: `is ${baseUrl}; expected an https URL, or a loopback host` },
  },
  profile_replayed_refresh_tokens: {
    sections: { 'oauth-2.1': `${oauth('4.3.1')}, RFC 9700 §4.14.2`, mcp: mcp('Token Theft') },
    requirement: 'A refresh token of a public client that two parties use is detected, and its grant ends.',
    advice: 'Set refresh.graceStreak to at least 1, or refresh.publicGraceSeconds to 0.',
    settings: ({ 'refresh.graceStreak': streak, 'refresh.publicGraceSeconds': seconds }) =>
      streak > 0 || seconds === 0
        ? undefined
        : {
            field: 'refresh.graceStreak',
            problem: `is 0 while refresh.publicGraceSeconds is ${seconds}; expected at least 1, or no grace`,
          },
  },
  profile_scope_syntax: {
    sections: { 'oauth-2.1': oauth('1.4.1'), mcp: mcp('Overview') },
    requirement: 'Spaces alone separate scopes.',
    advice: 'Set scope.commaSeparated to false, when all clients separate scopes by spaces.',
    settings: ({ 'scope.commaSeparated': isCommaSeparated }) =>
      isCommaSeparated ? { field: 'scope.commaSeparated', problem: 'is true; expected false' } : undefined,
  },
  profile_client_documents: {
    sections: { mcp: mcp('Client ID Metadata Documents') },
    requirement: 'Clients can bring the URL of a document that describes them, and need no registration.',
    advice: 'Set clients.metadataDocuments to on, or to a list of hosts.',
    settings: ({ 'clients.metadataDocuments': hosts }) =>
      hosts === 'off'
        ? { field: 'clients.metadataDocuments', problem: 'is off; expected on, or a list of hosts' }
        : undefined,
  },
  ...fapiRules,
} as const satisfies Record<string, ProfileRule>;

/** The stable name of a row of {@link profileRules}. */
export type ProfileRuleName = keyof typeof profileRules;

/** The same as rules for which requests are refused. */
export const profileErrorRules = Object.fromEntries(
  Object.entries<ProfileRule>(profileRules).map(([name, { requirement, sections, command, advice }]) => {
    const section = [...new Set(Object.values(sections))].join('; ');
    return [name, { requirement, section, ...(command !== undefined && { command }), advice }];
  }),
) as Record<ProfileRuleName, ErrorRule>;

/** @param problemOf why a redirect URI is refused; `undefined` if it is not */
function redirectUris(problemOf: (uri: string) => string | undefined): NonNullable<ProfileRule['client']> {
  return {
    broken: (client) =>
      client.redirectUris.flatMap((uri) => {
        const problem = problemOf(uri);
        return problem === undefined
          ? []
          : [{ field: 'redirectUris', problem: `has ${uri}, which ${problem}` }];
      }),
    mend: (client) => {
      const kept = client.redirectUris.filter(
        (uri) => problemOf(uri) === undefined && redirectUriProblem(uri) === undefined,
      );
      const words = kept.length > 0 ? kept.map(shellWord) : ['REDIRECT_URI'];
      return `watchword client update {client}${words.map((word) => ` --redirect-uri ${word}`).join('')}`;
    },
  };
}

function privateUseProblem(uri: string): string | undefined {
  return webOnly.test(uri)
    ? undefined
    : 'has a private-use scheme; expected https, or http on a loopback host';
}

function refusedRedirectUri(uri: string, problem: string | undefined) {
  return problem === undefined
    ? undefined
    : {
        description: 'The redirect_uri of the client is one that this server no longer takes.',
        reason: `The redirect_uri ${quotedUrl(uri)} ${problem}.`,
        came: quotedUrl(uri),
      };
}

function missingResource(facts: { readonly namesResource: boolean; readonly isOfAdministration: boolean }) {
  return facts.namesResource || facts.isOfAdministration
    ? undefined
    : {
        description: 'The parameter resource is missing; it must name the API that the token is for.',
        expected: 'the parameter resource',
        came: 'no resource',
      };
}
