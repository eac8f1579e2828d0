import type { ErrorRule } from './error-rule.ts';

/** What the assertion of a request was expected to have, and what it has. */
export interface AssertionFacts {
  readonly expected: string;
  readonly came: string;
}

const lookAtKeys = 'watchword client show {client}';

/** Rules of clients that authenticate with an assertion in the place of a secret. */
export const assertionRules = {
  assertion_client: {
    requirement: 'An assertion of a client has its client_id as iss and as sub.',
    section: 'RFC 7523 §3',
    advice: 'Configure the client_id in the library of the application; it is not the id of the key.',
    refusal: () => ({
      reason: 'The iss and the sub of the assertion are not both the client_id.',
      expected: 'the client_id in iss and in sub',
      came: 'another text in one of them',
    }),
  },
  assertion_id: {
    requirement: 'An assertion of a client has a jti, by which it is recognized.',
    section: 'OpenID Connect Core §9',
    advice: 'Let the library of the application put a new random text into jti of each assertion.',
    refusal: ({ most }: { readonly most: number }) => ({
      reason: 'The assertion has no jti that can be used.',
      expected: `jti, a text of 1 to ${most} characters`,
      came: 'none, or another value',
    }),
  },
  assertion_once: {
    requirement: 'An assertion of a client is used for one request.',
    section: 'RFC 7523 §3',
    advice:
      'Let the application sign a new assertion for each request, also when it repeats one. If it does, somebody else has seen an assertion: look for it in logs and proxies.',
    refusal: () => ({
      reason: 'An assertion of the client with this jti was accepted before.',
      expected: 'a new jti',
      came: 'a jti that was used',
    }),
  },
  assertion_issuer: {
    requirement: 'An assertion that the client does not sign itself is of one of its assertionIssuers.',
    command: lookAtKeys,
    advice:
      'Compare iss of the assertion with issuer, letter by letter. Of a SPIFFE JWT-SVID without iss it is spiffe:// and the trust domain of sub.',
    refusal: () => ({
      reason: 'No assertionIssuers of the client has the issuer of the assertion.',
      expected: 'iss as the issuer of one of assertionIssuers',
      came: 'another issuer, or none',
    }),
  },
  assertion_subject: {
    requirement: 'An assertion of an issuer is for a workload that the client has as subject.',
    command: lookAtKeys,
    advice:
      'Compare sub of the assertion with subject in assertionIssuers. A subject is exact, unless it ends with *: then sub begins as it does.',
    refusal: ({ subjects }: { readonly subjects: readonly string[] }) => ({
      reason: 'The sub of the assertion fits no subject that the client has for its issuer.',
      expected: `sub ${subjects.join(' or ')}`,
      came: 'another subject',
    }),
  },
  assertion_issuer_audience: {
    requirement:
      'An assertion of an issuer is for the audience that the client has for the issuer, and no other.',
    command: lookAtKeys,
    advice:
      'Ask the issuer for an assertion for this audience: in Kubernetes by audience of the projected token, in GitHub Actions by getIDToken(audience).',
    refusal: refusalOf('The audience of the assertion is not the one of its issuer in assertionIssuers.'),
  },
  assertion_issuer_time: {
    requirement:
      'An assertion of an issuer has exp, and is valid now, within 60 seconds by which the clocks can differ.',
    advice:
      'Read the assertion again before each request: its issuer replaces it in its file. Compare the clocks of both machines.',
    refusal: refusalOf('The times of the assertion are not accepted.'),
  },
  assertion_issuer_keys: {
    requirement: 'The server can read the keys of an issuer for which the client has none.',
    command: 'watchword doctor',
    advice:
      'Ask the operator: the log of the server says why the keys cannot be read, and the setting clients.assertionIssuers where they are.',
    refusal: refusalOf('The keys of the issuer cannot be read.'),
  },
  assertion_audience: {
    requirement: 'An assertion of a client is for this server alone.',
    section: 'RFC 7523 §3',
    advice:
      'Use the issuer of the metadata as aud of the assertion. The address must be the one that the setting baseUrl has, letter by letter.',
    refusal: refusalOf('The audience of the assertion is not this server alone.'),
  },
  assertion_time: {
    requirement:
      'An assertion of a client is valid now and for one hour at most, within 60 seconds by which the clocks can differ.',
    section: 'RFC 7523 §3',
    advice:
      'Compare the clocks of both machines, and let the application sign a new assertion for each request.',
    refusal: refusalOf('The times of the assertion are not accepted.'),
  },
  assertion_algorithm: {
    requirement: 'An assertion of a client is signed by an algorithm that the server and the client have.',
    section: 'RFC 7518 §3.1',
    command: lookAtKeys,
    advice:
      'Sign with an algorithm of token_endpoint_auth_signing_alg_values_supported. tokenEndpointAuthSigningAlg of the client allows one of them alone.',
    refusal: refusalOf('The algorithm of the assertion is not accepted.'),
  },
  assertion_key: {
    requirement: 'An assertion of a client is signed by a key that is registered for the client.',
    section: 'RFC 7523 §3',
    command: lookAtKeys,
    advice:
      'Compare the kid and the algorithm of the assertion with the keys in jwks, at jwksUri, which is asked again once a minute at most, or of the setting clients.assertionIssuers. Register a new key before the application signs with it.',
    refusal: refusalOf('No registered key of the client verifies the assertion.'),
  },
  assertion_signature: {
    requirement: 'The signature of an assertion is that of the key that the assertion names.',
    section: 'RFC 7523 §3',
    command: lookAtKeys,
    advice: 'Compare the private key of the application with the registered key of the same kid.',
    refusal: refusalOf('The signature of the assertion is not that of the key that it names.'),
  },
  assertion_keys: {
    requirement: 'The server can read the keys at the jwksUri of a client.',
    section: 'RFC 7591 §2',
    command: lookAtKeys,
    advice:
      'Open the address from the machine of the server. It must answer with status 200, without a redirect, from a public address or one that the setting outbound.privateHosts names.',
    refusal: refusalOf('The keys of the client cannot be read.'),
  },
} as const satisfies Readonly<Record<string, ErrorRule>>;

function refusalOf(reason: string) {
  return ({ expected, came }: AssertionFacts) => ({ reason, expected, came });
}
