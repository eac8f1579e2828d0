import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientRequest, protocolDependencies, protocolError } from '@watchword/testkit';
import type { CredentialedRequest } from '../../src/clients/authentication/credentialed-request.ts';
import {
  claimedIdentifier,
  presentedCredentials,
} from '../../src/clients/authentication/presented-credentials.ts';

const { authenticationMethods } = protocolDependencies();

function presented(request: CredentialedRequest) {
  const found = presentedCredentials(request, authenticationMethods);
  return found && [found.method.name, found.credentials.id, found.credentials.proof];
}

describe('the credentials of a request', () => {
  it('come from the header or from the body', () => {
    assert.deepEqual(presented(clientRequest({}, 'a:s')), ['client_secret_basic', 'a', 's']);
    const body = clientRequest({ client_id: 'a', client_secret: 's' });
    assert.deepEqual(presented(body), ['client_secret_post', 'a', 's']);
  });

  it('are those of a public client when the request has a client_id alone, or with an empty secret', () => {
    for (const form of [{ client_id: 'a' }, { client_id: 'a', client_secret: '' }]) {
      assert.deepEqual(presented(clientRequest(form)), ['none', 'a', '']);
    }
  });

  it('are those of a public client when HTTP Basic has an empty secret (RFC 6749 §2.3.1)', () => {
    for (const form of [{}, { client_id: 'a' }, { client_id: 'a', client_secret: '' }]) {
      assert.deepEqual(presented(clientRequest(form, 'a:')), ['none', 'a', '']);
    }
    assert.throws(() => presented(clientRequest({ client_id: 'b' }, 'a:')), protocolError('invalid_request'));
    for (const form of [{ client_secret: 's' }, { client_id: 'a', client_secret: 's' }]) {
      assert.throws(() => presented(clientRequest(form, 'a:')), protocolError('invalid_request'));
    }
  });

  it('are those that prove the identity, whichever method is read first', () => {
    const request = clientRequest({ client_id: 'a' }, 'a:s');
    for (const methods of [authenticationMethods, authenticationMethods.toReversed()]) {
      assert.equal(presentedCredentials(request, methods)?.method.name, 'client_secret_basic');
    }
  });

  it('are absent when header, client_id and client_secret are', () => {
    assert.equal(presented(clientRequest()), undefined);
    assert.equal(presented(clientRequest({ client_id: '', client_secret: '' })), undefined);
  });

  it('are those of no client when the secret has no identifier', () => {
    for (const form of [{ client_secret: 's' }, { client_id: '', client_secret: 's' }]) {
      assert.deepEqual(presented(clientRequest(form)), ['client_secret_post', '', '']);
    }
  });

  it('must not come by two methods, equal or not', () => {
    for (const client_secret of ['s', 'other']) {
      for (const form of [{ client_id: 'a', client_secret }, { client_secret }]) {
        assert.throws(() => presented(clientRequest(form, 'a:s')), protocolError('invalid_request'));
      }
    }
  });

  it('can name the same client again in the body', () => {
    for (const client_id of ['a', '']) {
      assert.deepEqual(presented(clientRequest({ client_id }, 'a:s')), ['client_secret_basic', 'a', 's']);
    }
  });

  it('must not name another client in the body', () => {
    for (const client_id of ['b', 'A', 'a ']) {
      assert.throws(() => presented(clientRequest({ client_id }, 'a:s')), protocolError('invalid_request'));
    }
  });

  it('are not taken from the body when the header is malformed', () => {
    for (const authorization of ['', 'Basic', 'Bearer wwa_x', 'Basic !!']) {
      const request = { ...clientRequest({ client_id: 'a' }), headers: { authorization } };
      assert.deepEqual(presented(request), ['client_secret_basic', '', ''], authorization);
    }
  });
});

describe('the identifier that a request claims', () => {
  it('is read from credentials that contradict each other or are malformed', () => {
    const claimed = (request: CredentialedRequest) => claimedIdentifier(request, authenticationMethods);
    assert.equal(claimed(clientRequest({ client_id: 'b', client_secret: 's' }, 'a:s')), 'a');
    const malformed = { ...clientRequest({ client_id: 'b' }), headers: { authorization: 'Bearer x' } };
    assert.equal(claimed(malformed), 'b');
    assert.equal(claimed(clientRequest({ client_secret: 's' })), undefined);
  });
});
