import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientRequest, refusal } from '@watchword/testkit';
import { presentedCredentials } from '../src/clients/presented-credentials.ts';

describe('the credentials of a request', () => {
  it('come from the header or from the body', () => {
    const expected = { id: 'a', secret: 's' };
    assert.deepEqual(presentedCredentials(clientRequest({}, 'a:s')), expected);
    assert.deepEqual(presentedCredentials(clientRequest({ client_id: 'a', client_secret: 's' })), expected);
  });

  it('have no secret when a client_id stands alone, or with an empty secret', () => {
    const expected = { id: 'a', secret: undefined };
    assert.deepEqual(presentedCredentials(clientRequest({ client_id: 'a' })), expected);
    assert.deepEqual(presentedCredentials(clientRequest({ client_id: 'a', client_secret: '' })), expected);
  });

  it('are none without an identifier', () => {
    assert.equal(presentedCredentials(clientRequest()), undefined);
    assert.equal(presentedCredentials(clientRequest({ client_secret: 's' })), undefined);
    assert.equal(presentedCredentials(clientRequest({ client_id: '', client_secret: 's' })), undefined);
  });

  it('must not come by two methods, equal or not', () => {
    for (const client_secret of ['s', 'other']) {
      const request = clientRequest({ client_id: 'a', client_secret }, 'a:s');
      assert.throws(() => presentedCredentials(request), refusal('invalid_request'));
    }
    assert.throws(
      () => presentedCredentials(clientRequest({ client_secret: 's' }, 'a:s')),
      refusal('invalid_request'),
    );
  });

  it('may name the same client again in the body', () => {
    assert.deepEqual(presentedCredentials(clientRequest({ client_id: 'a' }, 'a:s')), {
      id: 'a',
      secret: 's',
    });
    assert.deepEqual(presentedCredentials(clientRequest({ client_id: '' }, 'a:s')), { id: 'a', secret: 's' });
  });

  it('must not name another client in the body', () => {
    for (const client_id of ['b', 'A', 'a ']) {
      assert.throws(
        () => presentedCredentials(clientRequest({ client_id }, 'a:s')),
        refusal('invalid_request'),
      );
    }
  });

  it('do not fall back to the body when the header is malformed', () => {
    for (const authorization of ['', 'Basic', 'Bearer wwa_x', 'Basic !!']) {
      const request = { ...clientRequest({ client_id: 'a' }), authorization };
      assert.equal(presentedCredentials(request), undefined, authorization);
    }
  });
});
