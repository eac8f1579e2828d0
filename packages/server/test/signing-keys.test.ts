import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/server';

describe('GET /oauth2/jwks', () => {
  it('answers with the public keys only', async () => {
    await using server = await startServer();
    const answer = await server.get('/oauth2/jwks');
    console.log(answer.status, answer.text, [...answer.headers]);
    assert.equal(answer.status, 200);
  });
});
