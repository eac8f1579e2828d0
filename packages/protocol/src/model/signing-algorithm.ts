/** The algorithms that the server signs JWTs with (RFC 7518 §3.1, RFC 8037 §3.1). */
export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** The names by which clients look for algorithms: EdDSA has a newer name too (RFC 9864). */
export function withBothNames(algorithms: readonly string[]): readonly string[] {
  return algorithms.includes('EdDSA') ? [...algorithms, 'Ed25519'] : algorithms;
}
