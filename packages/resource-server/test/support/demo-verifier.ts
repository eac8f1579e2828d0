import assert from 'node:assert/strict';
import {
  createTokenVerifier,
  type TokenInfo,
  type TokenVerifier,
  type TokenVerifierOptions,
} from '../../src/index.ts';

const demo = { key: 'demo-resource-server', secret: 'demo-resource-server-secret' };
const demoInfo = {
  audience: 'Demo Service',
  scopes: ['read'],
  principal: { name: 'demo-service', roles: [], groups: [], adminPrincipal: false, attributes: {} },
};

/** The answer for a token of the demo client, which is valid for an hour. */
export function assertDemoInfo({ expires_in, ...rest }: TokenInfo): void {
  assert.deepEqual(rest, demoInfo);
  assert.ok(expires_in > Date.now() && expires_in <= Date.now() + 3_600_000);
}

export const grant = { grant_type: 'client_credentials' };

export function verifierFor(baseUrl: string, options: Partial<TokenVerifierOptions> = {}): TokenVerifier {
  const silent = () => {};
  return createTokenVerifier({ tokenInfoUrl: `${baseUrl}/v1/tokeninfo`, ...demo, warn: silent, ...options });
}
