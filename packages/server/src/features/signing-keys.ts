import { keySetMaxAge } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Feature } from './feature.ts';

/** Path of the JSON Web Key Set (RFC 7517 §5) below the base URL. */
const jwksPath = '/oauth2/jwks';

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
    endpoints: [
      {
        path: jwksPath,
        methods: {
          GET: async () => ({
            // A text, because values are sent with the type of JSON.
            body: JSON.stringify(await signing.keySet()),
            headers: { 'content-type': 'application/jwk-set+json' },
            caching: `public, max-age=${keySetMaxAge}`,
          }),
        },
        origins: 'every',
      },
    ],
    records: 'unused',
    metadata: { jwks_uri: `${baseUrl}${jwksPath}` },
    start: () => signing.maintain(underLease, logger),
  };
}
