import type { Core } from '../core/core.ts';
import { type Endpoint, pathsOfHost } from '../http/endpoint.ts';
import type { Feature } from './feature.ts';

/** What browsers and password managers ask the host about its passkeys. */
export function passkeys({
  baseUrl,
  configuration,
  prefix,
  relyingParty,
}: Pick<Core, 'baseUrl' | 'configuration' | 'prefix' | 'relyingParty'>): Feature {
  if (relyingParty === undefined) return {};
  const origins = [...new Set([relyingParty.origin, ...configuration['passkeys.relatedOrigins']])];
  const account = `${baseUrl}/account`;
  return {
    hostEndpoints: [
      // Origins that can use the passkeys (WebAuthn Level 3 §5.11).
      ...documentAt('/.well-known/webauthn', prefix, { origins }),
      // "A Well-Known URL for Relying Party Passkey Endpoints" of the W3C.
      ...documentAt('/.well-known/passkey-endpoints', prefix, { enroll: account, manage: account }),
    ],
    records: 'unused',
  };
}

function documentAt(path: string, prefix: string, body: object): readonly Endpoint[] {
  const GET = () => ({ body, caching: 'public, max-age=300' });
  return pathsOfHost(path, prefix).map((each) => ({ path: each, methods: { GET } }));
}
