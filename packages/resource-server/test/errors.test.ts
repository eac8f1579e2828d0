import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isHttpError } from 'http-errors';
import {
  AuthorizationServerUnavailable,
  InsufficientAuthentication,
  InsufficientPrivileges,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
} from '../src/index.ts';

describe('an error that is answered', () => {
  for (const [error, status] of [
    [new TokenMissing(), 401],
    [new RequestMalformed(), 400],
    [new TokenRejected('expired'), 401],
    [new InsufficientAuthentication('age'), 401],
    [new InsufficientPrivileges(), 403],
    [new AuthorizationServerUnavailable('timeout'), 503],
  ] as const) {
    it(`has the members of http-errors: ${error.name}`, () => {
      assert.ok(isHttpError(error));
      assert.equal(error.status, status);
      assert.equal(error.statusCode, status);
      assert.equal(error.expose, status < 500);
      assert.equal(error.headers?.['cache-control'], 'no-store');
    });
  }
});
