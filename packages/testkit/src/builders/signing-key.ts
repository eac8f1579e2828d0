import type { SigningKey } from '@watchword/protocol';

/** A key that signs. Its halves are texts of the right form, and no real keys. */
export function buildSigningKey(kid: string, given: Partial<SigningKey> = {}): SigningKey {
  const start = Date.UTC(2026, 0, 1);
  return {
    kid,
    algorithm: 'ES256',
    publicKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'ÿ"' },
    privateKey: { sealed: `sealed ${kid}` },
    publishedAt: start,
    signsFrom: start,
    retiredAt: undefined,
    compromisedAt: undefined,
    ...given,
  };
}
