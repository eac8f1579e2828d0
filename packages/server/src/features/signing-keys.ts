import type { Core } from '../core/core.ts';
import { jwksPath, jwksRoute } from '../http/jwks.ts';
import type { Feature } from './feature.ts';

/** The keys that JWTs are signed with: their public halves for everyone, and their rotation. */
export function signingKeys({
  baseUrl,
  logger,
  metrics,
  signing,
  underLease,
}: Pick<Core, 'baseUrl' | 'logger' | 'metrics' | 'signing' | 'underLease'>): Feature {
  metrics.observeSigningKeys(() => signing.keys.counts(signing.signer.algorithms));
  return {
    endpoints: [jwksRoute(() => signing.keySet())],
    records: 'unused',
    metadata: { jwks_uri: `${baseUrl}${jwksPath}` },
    start: () => signing.maintain(underLease, logger),
  };
}
