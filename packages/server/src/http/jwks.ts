import { keySetMaxAge } from '@watchword/protocol';
import type { Endpoint } from './endpoint.ts';

/** Path of the JSON Web Key Set below the base URL. */
export const jwksPath = '/oauth2/jwks';

/** `GET /oauth2/jwks`: the public keys of the server (RFC 7517 §5). They are the same for all callers. */
export function jwksRoute(keySet: () => Promise<object>): Endpoint {
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
