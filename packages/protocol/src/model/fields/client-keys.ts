import { signingAlgorithms } from '../signing-algorithm.ts';
import type { FieldTable } from './field.ts';
import { httpsUriProblems, uriKind } from './uris.ts';

/** How a client authenticates, and what verifies the assertions that it, or another party for it, signs. */
export const clientKeyFields = {
  tokenEndpointAuthMethod: {
    kind: {
      type: 'choice',
      values: [
        '',
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'assertion_issuer',
      ],
    },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Authentication',
    summary:
      'the one method by which it authenticates, at every endpoint; empty = with its secret, by HTTP Basic or in the body; a public client by its client_id alone; private_key_jwt = with its key, without a secret; assertion_issuer = another party signs for it',
    details:
      'A public client can have none only, and a confidential client any other (RFC 7591 section 2). With private_key_jwt (RFC 7523) it has no secret: it signs an assertion with a key of jwks or jwksUri. With assertion_issuer one of assertionIssuers signs for it. A request by another method is invalid_client.',
  },
  jwks: {
    kind: { type: 'keySet' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Public keys',
    summary: 'its public keys, as a JSON Web Key Set; the command line takes PEM too',
    details:
      'They verify what it signs: its authentication by private_key_jwt, for example. While it replaces a key, both are here. A private key is refused, and so is one of RSA with fewer than 2048 or more than 4096 bits. A signature without kid is compared with four keys at most. jwksUri must be empty beside it (RFC 7591 section 2). To change either of an existing client, people need a fresh login, as for a new secret.',
    option: '--jwks <file>',
  },
  jwksUri: {
    kind: uriKind,
    setBy: 'owner',
    check: httpsUriProblems,
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'URL of public keys',
    summary: 'an https URL of its public keys, in the place of jwks, or empty',
    details:
      'The server requests it when it needs a key, keeps the answer, and asks again for a key that it does not know, at most once a minute.',
    option: '--jwks-uri <url>',
  },
  tokenEndpointAuthSigningAlg: {
    kind: { type: 'choice', values: ['', ...signingAlgorithms] },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Signature of its authentication',
    summary: 'the one algorithm of its assertions (private_key_jwt); empty = each that fits its keys',
  },
  assertionIssuers: {
    kind: { type: 'assertionIssuers' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Issuers of its assertions',
    summary: 'who signs its assertions if it has neither a secret nor a key (assertion_issuer)',
    details:
      'Such as a Kubernetes cluster, GitHub Actions or a SPIFFE trust domain: each with issuer, audience, subject (exact, or with a * at its end), and its keys as jwks or at a jwksUri; without both they are those of the setting clients.assertionIssuers, if it names the issuer and lets you use it. The request names client_id, and has as client_assertion a token of the issuer, which can be used again until it expires.',
    option: '--assertion-issuers <file>',
  },
} as const satisfies FieldTable;
