/** The algorithms that the server signs JWTs with (RFC 7518 §3.1, RFC 8037 §3.1). */
export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];
