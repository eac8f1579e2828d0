import { usualName } from '@watchword/proofs';
import type { ProfileRule } from './profile-rule.ts';

/** The version that was newest when the rules were written. */
export const fapi = (section: string) => `FAPI 2.0 Security Profile (final) §${section}`;

/** FAPI 2.0 Security Profile §5.4.1. */
export const fapiAlgorithms: readonly string[] = ['PS256', 'ES256', 'EdDSA'];
const isListed = (algorithm: string) => fapiAlgorithms.includes(usualName(algorithm));
const listed = fapiAlgorithms.join(', ');

const algorithmFields = [
  'tokenEndpointAuthSigningAlg',
  'requestObjectSigningAlg',
  'idTokenSignedResponseAlg',
  'userinfoSignedResponseAlg',
  'authorizationSignedResponseAlg',
] as const;

/** Seconds. */
const longestCode = 60;

/** Seconds between nbf and exp of a request object (FAPI 2.0 Message Signing §5.3.1). */
const longestRequest = 3600;

/** The rules that FAPI 2.0 alone has. Clients that only administer this server are exempt. */
export const fapiRules = {
  profile_client_keys: {
    sections: { 'fapi-2.0': fapi('5.3.2.1') },
    requirement: 'Every client is confidential, and authenticates with a key of its own: private_key_jwt.',
    command: 'watchword lint --profile fapi-2.0',
    advice:
      'Register public keys of the application (jwks or jwksUri), and let its library sign with private_key_jwt.',
    exemptsAdministration: true,
    client: {
      broken: ({ confidential, tokenEndpointAuthMethod }) =>
        !confidential
          ? [{ field: 'confidential', problem: 'is false; expected a client with keys of its own' }]
          : tokenEndpointAuthMethod === 'private_key_jwt'
            ? []
            : [{ field: 'tokenEndpointAuthMethod', problem: 'is not private_key_jwt' }],
      mend: () =>
        'watchword client update {client} --confidential true --token-endpoint-auth-method private_key_jwt --jwks FILE',
    },
    requests: {
      client: {
        error: 'invalid_client',
        refusal: ({ method, onlyAdministers }) =>
          onlyAdministers || method === 'private_key_jwt'
            ? undefined
            : {
                reason: 'The client authenticated without a key of its own.',
                expected: 'private_key_jwt',
                came: method,
              },
      },
    },
  },
  profile_assertion: {
    sections: { 'fapi-2.0': fapi('5.3.2.1') },
    requirement: `The assertion of a client has the issuer as aud, as one text, and is signed by ${listed}.`,
    advice:
      'Let the library of the application put the issuer of the metadata into aud, as a text and not as a list.',
    requests: {
      assertion: {
        error: 'invalid_client',
        refusal: ({ audience, algorithm, issuer }) =>
          audience !== issuer
            ? {
                reason: 'The audience of the assertion is not the issuer, as one text.',
                expected: 'the issuer in aud, as a text',
                came: Array.isArray(audience) ? 'a list' : 'another value',
              }
            : isListed(algorithm)
              ? undefined
              : {
                  reason: 'The algorithm of the assertion is not one of the profile.',
                  expected: listed,
                  came: 'another algorithm',
                },
      },
    },
  },
  profile_pushed_requests: {
    sections: { 'fapi-2.0': fapi('5.3.2.2') },
    requirement: 'Clients push their authorization requests (PAR), and name the redirect_uri in them.',
    advice: 'Switch pushed authorization requests on in the library of the application.',
    requests: {
      authorization: {
        error: 'invalid_request',
        refusal: ({ isPushed, namesRedirectUri, onlyAdministers }) =>
          onlyAdministers || (isPushed && namesRedirectUri)
            ? undefined
            : isPushed
              ? {
                  description: 'The pushed request must name its redirect_uri.',
                  expected: 'the parameter redirect_uri',
                  came: 'no redirect_uri',
                }
              : {
                  description: 'The authorization request must be pushed (RFC 9126).',
                  expected: 'request_uri of the pushed authorization request endpoint',
                  came: 'the request itself',
                },
      },
    },
  },
  profile_bound_tokens: {
    sections: { 'fapi-2.0': fapi('5.3.2.1') },
    requirement: 'Access tokens are bound to a key of the client: by DPoP, or by its certificate.',
    command: 'watchword lint --profile fapi-2.0',
    advice: 'Switch DPoP on in the library of the application.',
    exemptsAdministration: true,
    client: {
      broken: ({ dpopBoundAccessTokens }) =>
        dpopBoundAccessTokens ? [] : [{ field: 'dpopBoundAccessTokens', problem: 'is false' }],
      mend: () => 'watchword client update {client} --dpop-bound-access-tokens true',
    },
    requests: {
      token: {
        error: 'invalid_dpop_proof',
        refusal: ({ isBound, onlyAdministers }) =>
          isBound || onlyAdministers
            ? undefined
            : {
                description: 'The client must send a DPoP proof.',
                expected: 'a header DPoP with a proof',
                came: 'none',
              },
      },
    },
  },
  profile_algorithms: {
    sections: { 'fapi-2.0': fapi('5.4.1') },
    requirement: `The server and its clients sign by ${listed} alone.`,
    command: 'watchword lint --profile fapi-2.0',
    advice: `Set signing.algorithms to some of ${listed}, and the same in the clients.`,
    settings: ({ 'signing.algorithms': signing }) => {
      const others = signing.filter((algorithm) => !fapiAlgorithms.includes(algorithm));
      return others.length === 0
        ? undefined
        : { field: 'signing.algorithms', problem: `has ${others.join(', ')}; expected some of ${listed}` };
    },
    client: {
      broken: (client) =>
        algorithmFields
          .filter((field) => !['', 'none', ...fapiAlgorithms].includes(client[field]))
          .map((field) => ({ field, problem: `is ${client[field]}; expected empty, or one of ${listed}` })),
      mend: () => 'watchword client edit {client}',
    },
  },
  profile_code_lifetime: {
    sections: { 'fapi-2.0': fapi('5.3.2.2') },
    requirement: `A code is valid for ${longestCode} seconds at most.`,
    advice: `Set code.lifetime to ${longestCode}, or less.`,
    settings: ({ 'code.lifetime': seconds }) =>
      seconds <= longestCode
        ? undefined
        : { field: 'code.lifetime', problem: `is ${seconds}; expected ${longestCode} at most` },
  },
  profile_signed_request: {
    sections: { 'fapi-2.0': 'FAPI 2.0 Message Signing (final) §5.3.1' },
    requirement:
      'A request object is for this server (aud), and valid for an hour at most: it says from when (nbf) and until when (exp).',
    advice:
      'Let the library of the application put the issuer as aud into its request objects, and nbf and exp, an hour apart at most.',
    requests: {
      requestObject: {
        error: 'invalid_request_object',
        refusal: ({ algorithm, claims: { aud, nbf, exp } }) => {
          if (!isListed(algorithm)) {
            return {
              description: 'The algorithm of the request object is not one of this server.',
              expected: listed,
              came: 'another algorithm',
            };
          }
          // Another one is refused in every profile.
          if (aud === undefined) {
            return {
              description: 'The request object must say by aud that it is for this server.',
              expected: 'the issuer in aud',
              came: 'no aud',
            };
          }
          const lifetime = Number(exp) - Number(nbf);
          return typeof nbf === 'number' && typeof exp === 'number' && lifetime <= longestRequest
            ? undefined
            : {
                description: 'The request object must have nbf and exp, at most an hour apart.',
                expected: `nbf and exp, at most ${longestRequest} seconds apart`,
                came: Number.isNaN(lifetime) ? 'one is missing' : 'a longer time',
              };
        },
      },
    },
  },
} as const satisfies Record<string, ProfileRule>;
