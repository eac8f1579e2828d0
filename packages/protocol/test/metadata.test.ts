import assert from 'node:assert/strict';
import test from 'node:test';
import { protocolWorld } from '@watchword/testkit';
import { authorizationServerMetadata } from '../src/metadata.ts';

test('the metadata names the endpoints under the issuer, path prefix included, and what they support', () => {
  const { grants } = protocolWorld();
  const secrets = ['client_secret_basic', 'client_secret_post'];
  assert.deepEqual(authorizationServerMetadata('https://host.example/auth', grants), {
    issuer: 'https://host.example/auth',
    token_endpoint: 'https://host.example/auth/oauth2/token',
    token_endpoint_auth_methods_supported: secrets,
    revocation_endpoint: 'https://host.example/auth/oauth2/revoke',
    revocation_endpoint_auth_methods_supported: [...secrets, 'none'],
    introspection_endpoint: 'https://host.example/auth/oauth2/introspect',
    introspection_endpoint_auth_methods_supported: secrets,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
  });
});

test('the metadata names exactly the grants that the server has', () => {
  const [grant] = protocolWorld().grants;
  assert.ok(grant);
  const own = { ...grant, type: 'urn:example:own' };
  const supported = (...grants: (typeof own)[]) =>
    authorizationServerMetadata('https://as.example', grants).grant_types_supported;
  assert.deepEqual(supported(), []);
  assert.deepEqual(supported(own), ['urn:example:own']);
});
