import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProtocolErrorName, protocolErrors } from '../../src/model/errors/error-table.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';

const kinds = Object.keys(protocolErrors) as ProtocolErrorName[];

describe('the table of errors', () => {
  for (const kind of kinds) {
    const { error, status, description } = protocolErrors[kind];

    it(`${kind} has a code and a text of the characters that RFC 6749 section 5.2 allows`, () => {
      assert.match(error, /^[a-z_]+$/);
      assert.match(description, /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
      assert.ok(status >= 400 && status < 600);
    });

    it(`${kind} can be thrown, with its own text or another`, () => {
      const plain = new OAuthError(kind);
      assert.ok(plain instanceof Error);
      assert.equal(plain.kind, kind);
      assert.equal(plain.message, description);
      assert.equal(plain.retryAfter, undefined);
      assert.equal(plain.violations, undefined);
      assert.equal(new OAuthError(kind, { description: 'Other.' }).message, 'Other.');
    });
  }

  it('keeps all details of an error, and the rule of its kind where none is given', () => {
    const details = {
      description: 'Other.',
      reason: 'why',
      rule: 'user_login',
      expected: 'this',
      came: 'that',
      retryAfter: 5,
      scope: 'read',
      maxAge: 900,
      violations: ['a'],
      text: { key: 'error.x' },
      account: { identityProvider: 'password', name: 'emma' },
      cause: new Error('cause'),
    } as const;
    const { message, name, ...rest } = new OAuthError('access_denied', details);
    const { description, ...others } = details;
    assert.equal(message, description);
    assert.equal(name, 'OAuthError');
    for (const [field, value] of Object.entries(others)) {
      assert.equal(
        Object.entries({ cause: details.cause, ...rest }).find(([key]) => key === field)?.[1],
        value,
        field,
      );
    }
    assert.equal(new OAuthError('access_denied').rule, protocolErrors.access_denied.rule);
  });

  it('has the statuses of the contract', () => {
    const statuses = Object.fromEntries(kinds.map((kind) => [kind, protocolErrors[kind].status]));
    assert.deepEqual(statuses, {
      invalid_request: 400,
      invalid_client: 401,
      invalid_client_metadata: 400,
      invalid_grant: 400,
      invalid_dpop_proof: 400,
      use_dpop_nonce: 400,
      invalid_redirect_uri: 400,
      unauthorized_client: 400,
      unsupported_grant_type: 400,
      unsupported_response_type: 400,
      invalid_target: 400,
      access_denied: 403,
      login_required: 400,
      interaction_required: 400,
      consent_required: 400,
      unmet_authentication_requirements: 400,
      invalid_request_object: 400,
      invalid_request_uri: 400,
      request_not_supported: 400,
      request_uri_not_supported: 400,
      registration_not_supported: 400,
      invalid_auth_state: 400,
      unbound_submission: 403,
      invalid_reset_link: 400,
      ambiguous_cookies: 400,
      invalid_scope: 400,
      token_not_found: 404,
      token_expired: 410,
      missing_token: 401,
      invalid_token: 401,
      insufficient_user_authentication: 401,
      invalid_token_proof: 401,
      use_token_nonce: 401,
      insufficient_scope: 403,
      precondition_failed: 412,
      not_found: 404,
      unknown_address: 404,
      conflict: 409,
      managed_record: 409,
      method_not_allowed: 405,
      request_timeout: 408,
      body_too_large: 413,
      uri_too_long: 414,
      unsupported_media_type: 415,
      misdirected_request: 421,
      too_many_requests: 429,
      too_many_changes: 429,
      too_many_records: 409,
      header_fields_too_large: 431,
      server_error: 500,
      store_damaged: 500,
      module_failed: 500,
      module_timed_out: 503,
      temporarily_unavailable: 503,
    });
  });

  it('writes the code not_found for a token that is not there', () => {
    assert.equal(protocolErrors.token_not_found.error, 'not_found');
  });

  it('hands to the client only what RFC 6749 section 4.1.2.1, RFC 8707 section 2, RFC 9101 section 9.1 and OpenID Connect section 3.1.2.6 list, and its extension for unmet requirements', () => {
    const redirectable = kinds.filter((kind) => protocolErrors[kind].redirectable);
    const listed = [
      'invalid_request',
      'unauthorized_client',
      'unsupported_response_type',
      'invalid_target',
      'access_denied',
      'login_required',
      'interaction_required',
      'consent_required',
      'unmet_authentication_requirements',
      'invalid_request_object',
      'invalid_request_uri',
      'request_not_supported',
      'request_uri_not_supported',
      'registration_not_supported',
      'invalid_scope',
      'server_error',
      'store_damaged',
      'temporarily_unavailable',
    ];
    assert.deepEqual(redirectable, listed);
  });

  it('keeps the details of an error', () => {
    const cause = new Error('x');
    const error = new OAuthError('conflict', { retryAfter: 3, violations: ['a: b'], cause });
    assert.equal(error.retryAfter, 3);
    assert.deepEqual(error.violations, ['a: b']);
    assert.equal(error.cause, cause);
    assert.equal(error.name, 'OAuthError');
  });
});
