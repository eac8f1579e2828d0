import { signingAlgorithms } from '../signing-algorithm.ts';
import type { FieldTable } from './field.ts';
import { httpsUriProblems, uriKind } from './uris.ts';

/** The fields of a client that has keys of its own. */
export const clientKeyFields = {
  jwks: {
    kind: { type: 'keySet' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Public keys',
    summary: 'its public keys, as a JSON Web Key Set',
    details:
      'They verify what it signs: its authentication by private_key_jwt, for example. While it replaces a key, both are here. A private key is refused, and so is one of RSA with fewer than 2048 bits. jwksUri must be empty beside it (RFC 7591 section 2). To change either of an existing client, people need a fresh login, as for a new secret.',
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
} as const satisfies FieldTable;
