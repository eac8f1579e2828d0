import { keySetMaxAge } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { Endpoint } from '../http/endpoint.ts';
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

/** Path of the JSON Web Key Set below the base URL. */
const jwksPath = '/oauth2/jwks';

/** `GET /oauth2/jwks`: the public keys of the server (RFC 7517 §5). They are the same for all callers. */
function jwksRoute(keySet: () => Promise<object>): Endpoint {
  return {
    path: jwksPath,
    methods: {
      GET: async () => ({
        // A text, because values are sent with the type of JSON.
        body: JSON.stringify(await keySet()),
        headers: { 'content-type': 'application/jwk-set+json' },
        caching: `public, max-age=${keySetMaxAge}`,
      }),
    },
    origins: 'every',
  };
}
