import type { ErrorRule, Refusal } from './error-rule.ts';

/** Rules of proofs that a client has a key (DPoP), and of what is bound to one. */
export const proofRules = {
  required_proof: {
    requirement: 'A client with dpopBoundAccessTokens sends a DPoP proof with each token request.',
    section: 'RFC 9449 §5.2',
    command: 'watchword client show {client}',
    advice:
      'Switch DPoP on in the library of the application, which then sends the header DPoP. A proxy must pass it on.',
    refusal: (): Refusal => ({
      description: 'The client must send a DPoP proof.',
      expected: 'a header DPoP with a proof',
      came: 'none',
    }),
  },
  valid_proof: {
    requirement: 'A DPoP proof is for the request with which it comes, and signed by the key that it names.',
    section: 'RFC 9449 §4.3',
    advice:
      'Make a new proof for each request, with its method, the public URL of the endpoint without query, and, at an API, the digest of the access token. If the URL is wrong: the setting baseUrl is the URL that clients use.',
    refusal: ({ expected, came }: { readonly expected: string; readonly came: string }): Refusal => ({
      description: `The DPoP proof is not valid: expected ${expected}.`,
      reason: `The DPoP proof of the request is not valid. Expected ${expected}; got ${came}.`,
      expected,
      came,
    }),
  },
  unused_proof: {
    requirement: 'A DPoP proof is used once.',
    section: 'RFC 9449 §11.1',
    advice:
      'Make a new proof for each request, with another jti, also when a request is repeated. If the application does so, somebody else has sent a copy of its request.',
    refusal: (): Refusal => ({ description: 'The DPoP proof was used before.' }),
  },
  proof_time: {
    requirement: 'A DPoP proof without a nonce is made within a minute of its request.',
    section: 'RFC 9449 §4.3',
    advice:
      'Repeat the request with the nonce of the answer, as libraries for DPoP do. To save the second request, set the clock of the client.',
    /** Epoch milliseconds. */
    refusal: ({ issuedAt, now }: { readonly issuedAt: number; readonly now: number }): Refusal => {
      const seconds = Math.round(Math.abs(issuedAt - now) / 1000);
      return {
        description: 'The time of the DPoP proof is not that of the server: use the nonce of this answer.',
        expected: 'a proof of the last or the next 60 seconds, or one with a nonce',
        came: `a proof of ${seconds} seconds ${issuedAt > now ? 'in the future' : 'ago'}`,
      };
    },
  },
  proof_nonce: {
    requirement: 'The nonce of a DPoP proof is one that this server has given within five minutes.',
    section: 'RFC 9449 §8',
    advice: 'Repeat the request with the nonce of the answer, as libraries for DPoP do.',
    refusal: ({ came }: { readonly came: 'none' | 'another one' }): Refusal => ({
      description: 'The DPoP proof needs the nonce of this answer.',
      expected: 'a nonce of this server',
      came,
    }),
  },
  dpop_jkt_form: {
    requirement:
      'The parameter dpop_jkt is the thumbprint of the key of DPoP proofs: 43 characters of base64url.',
    section: 'RFC 9449 §10',
    advice: 'Send the SHA-256 thumbprint of the public key (RFC 7638), or leave the parameter out.',
    refusal: (): Refusal => ({ description: 'The parameter dpop_jkt is not the thumbprint of a key.' }),
  },
  bound_key: {
    requirement: 'What is bound to a key comes with a DPoP proof of that key.',
    section: 'RFC 9449 §5; RFC 9449 §10',
    advice:
      'The application must keep its key as long as the tokens. If it has lost the key, send the user through the authorization endpoint again.',
    refusal: ({ of, came }: { readonly of: string; readonly came: 'none' | 'another key' }): Refusal => ({
      description: `The ${of} is bound to another key.`,
      reason: `The ${of} is bound to a key, and the request has ${came === 'none' ? 'no DPoP proof' : 'a DPoP proof of another key'}.`,
      expected: `a DPoP proof of the key to which the ${of} is bound`,
      came,
    }),
  },
  required_certificate: {
    requirement:
      'A client with tlsClientCertificateBoundAccessTokens sends each token request with its certificate.',
    section: 'RFC 8705 §3',
    command: 'watchword client show {client}',
    advice:
      'The proxy that ends TLS asks for the certificate and names it in the header of the setting clientCertificate.header, in the form of clientCertificate.form. Its address must be in trustedProxies: from any other one the header is ignored.',
    refusal: (): Refusal => ({
      description: 'The client must send a certificate.',
      expected: 'a certificate that a trusted proxy names',
      came: 'none',
    }),
  },
  bound_certificate: {
    requirement: 'A refresh token that is bound to a certificate comes with that certificate.',
    section: 'RFC 8705 §4',
    advice:
      'The application must keep its certificate as long as the tokens. After a change, send the user through the authorization endpoint again.',
    refusal: ({ of }: { readonly of: string }): Refusal => ({
      description: `The ${of} is bound to another certificate.`,
      expected: `the certificate to which the ${of} is bound`,
      came: 'another one, or none',
    }),
  },
  bound_token: {
    requirement:
      'A token that is bound to a key comes after DPoP, with a proof of that key; any other after Bearer.',
    section: 'RFC 9449 §7.1; RFC 9449 §7.2',
    advice:
      'Send the token as token_type of its response says. A token that is bound to a key is of no use without the key.',
    refusal: ({ expected, came }: { readonly expected: string; readonly came: string }): Refusal => ({
      description: `The access token needs ${expected}.`,
      expected,
      came,
    }),
  },
} as const satisfies Record<string, ErrorRule>;
