import assert from 'node:assert/strict';
import test from 'node:test';
import { protocolDependencies } from '@watchword/testkit';
import { clientSecretPost } from '../../src/clients/authentication/client-secret-post.ts';
import { none } from '../../src/clients/authentication/none.ts';
import { authorizationServerMetadata } from '../../src/endpoints/metadata.ts';
import { openidMetadata } from '../../src/endpoints/openid-metadata.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';
import { dpopAlgorithms } from '../../src/tokens/dpop-proofs.ts';

test('the metadata names the endpoints under the issuer, path prefix included, and what they support', () => {
  const capabilities = protocolDependencies();
  const proving = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256', 'Ed25519'];
  assert.deepEqual(authorizationServerMetadata('https://host.example/auth', capabilities), {
    issuer: 'https://host.example/auth',
    authorization_endpoint: 'https://host.example/auth/oauth2/authorize',
    authorization_response_iss_parameter_supported: true,
    token_endpoint: 'https://host.example/auth/oauth2/token',
    token_endpoint_auth_methods_supported: [...proving, 'none'],
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint: 'https://host.example/auth/oauth2/revoke',
    revocation_endpoint_auth_methods_supported: [...proving, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint: 'https://host.example/auth/oauth2/introspect',
    introspection_endpoint_auth_methods_supported: proving,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    tokeninfo_endpoint: 'https://host.example/auth/v1/tokeninfo',
    revocation_feed_endpoint: 'https://host.example/auth/oauth2/revocations',
    dpop_signing_alg_values_supported: dpopAlgorithms,
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token', 'implicit'],
    response_types_supported: [
      'code',
      'token',
      'id_token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ],
    response_modes_supported: [
      'query',
      'fragment',
      'form_post',
      'jwt',
      'query.jwt',
      'fragment.jwt',
      'form_post.jwt',
    ],
    code_challenge_methods_supported: ['S256'],
  });
});

test('the metadata names the algorithms of proofs and the methods of clients that the profile takes', () => {
  const metadata = authorizationServerMetadata('https://as.example', {
    ...protocolDependencies(),
    profile: profileChecks('fapi-2.0'),
  });
  assert.deepEqual(metadata.dpop_signing_alg_values_supported, ['PS256', 'ES256', 'EdDSA', 'Ed25519']);
  assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['private_key_jwt']);
  assert.deepEqual(metadata.revocation_endpoint_auth_methods_supported, ['private_key_jwt']);
  assert.deepEqual(
    metadata.introspection_endpoint_auth_methods_supported,
    ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    'resource servers have secrets',
  );
});

test('the metadata names exactly the grants that the server has', () => {
  const {
    grantTypes: [grant],
    ...others
  } = protocolDependencies();
  assert.ok(grant);
  const own = { ...grant, type: 'urn:example:own' };
  const supported = (...grantTypes: (typeof own)[]) =>
    authorizationServerMetadata('https://as.example', { ...others, grantTypes }).grant_types_supported;
  assert.deepEqual(supported(), ['implicit']);
  assert.deepEqual(supported(own), ['urn:example:own', 'implicit']);
});

test('the metadata names the methods of authentication that the server has, and their algorithms', () => {
  const signed = {
    ...clientSecretPost(protocolDependencies()),
    name: 'private_key_jwt',
    signingAlgorithms: ['ES256', 'PS256'],
  };
  const metadata = authorizationServerMetadata('https://as.example', {
    grantTypes: [],
    responseTypes: [],
    authenticationMethods: [signed, none],
  });
  const named = Object.entries(metadata).filter(([name]) => name.includes('_auth_'));
  assert.deepEqual(Object.fromEntries(named), {
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256'],
    revocation_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256'],
    introspection_endpoint_auth_methods_supported: ['private_key_jwt'],
    introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256'],
  });
});

test('the metadata of OpenID Connect says what requests can have', () => {
  const metadata = openidMetadata('https://as.example', {
    signingAlgorithms: ['ES256'],
    claims: ['name'],
    loginClasses: ['phr'],
    languages: ['en'],
  });
  const supported = Object.entries(metadata).filter(([name]) => name.endsWith('_parameter_supported'));
  assert.deepEqual(Object.fromEntries(supported), {
    claims_parameter_supported: true,
  });
  assert.deepEqual(metadata.acr_values_supported, ['phr']);
  assert.equal(metadata.userinfo_endpoint, 'https://as.example/oauth2/userinfo');
});
