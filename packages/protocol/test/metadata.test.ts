import assert from 'node:assert/strict';
import test from 'node:test';
import { protocolDependencies } from '@watchword/testkit';
import { authorizationServerMetadata } from '../src/endpoints/metadata.ts';

test('the metadata names the endpoints under the issuer, path prefix included, and what they support', () => {
  const { grantTypes, responseTypes } = protocolDependencies();
  const secrets = ['client_secret_basic', 'client_secret_post'];
  const metadata = authorizationServerMetadata('https://host.example/auth', grantTypes, responseTypes, [
    'en',
    'nl',
  ]);
  assert.deepEqual(metadata, {
    issuer: 'https://host.example/auth',
    authorization_endpoint: 'https://host.example/auth/oauth2/authorize',
    authorization_response_iss_parameter_supported: true,
    token_endpoint: 'https://host.example/auth/oauth2/token',
    token_endpoint_auth_methods_supported: [...secrets, 'none'],
    revocation_endpoint: 'https://host.example/auth/oauth2/revoke',
    revocation_endpoint_auth_methods_supported: [...secrets, 'none'],
    introspection_endpoint: 'https://host.example/auth/oauth2/introspect',
    introspection_endpoint_auth_methods_supported: secrets,
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token', 'implicit'],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent'],
    ui_locales_supported: ['en', 'nl'],
  });
});

test('the metadata names exactly the grants that the server has', () => {
  const {
    grantTypes: [grant],
    responseTypes,
  } = protocolDependencies();
  assert.ok(grant);
  const own = { ...grant, type: 'urn:example:own' };
  const supported = (...grantTypes: (typeof own)[]) =>
    authorizationServerMetadata('https://as.example', grantTypes, responseTypes, []).grant_types_supported;
  assert.deepEqual(supported(), ['implicit']);
  assert.deepEqual(supported(own), ['urn:example:own', 'implicit']);
});
