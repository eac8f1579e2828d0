import '../support/english.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { opening } from '../../src/opening.ts';

describe('the address under which the GUI is opened', () => {
  const here = 'https://id.example/auth';

  it('is used for the login when it is the base URL of the server, or permitted beside it', () => {
    assert.equal(opening(here, here, []).type, 'begin');
    assert.equal(opening('https://second.example', here, ['https://second.example']).type, 'begin');
    assert.equal(opening('http://localhost:8080', 'http://localhost:8080', []).type, 'begin');
  });

  it('redirects to the base URL of the server otherwise', () => {
    const address = `${here}/client/client.html`;
    for (const other of ['https://other.example/auth', 'http://id.example', 'http://10.0.0.1:8080']) {
      assert.deepEqual(opening(other, here, []), { type: 'go', address });
    }
    assert.equal(opening('http://127.0.0.1:8080', 'http://localhost:8080', []).type, 'go');
  });

  it('rejects plain http, and another machine when the server has a loopback address', () => {
    for (const [from, issuer, reason] of [
      ['http://id.example', 'http://id.example', 'insecure'],
      ['http://localhost:8080', 'http://id.example', 'insecure'],
      ['http://10.0.0.1:8080', 'http://localhost:8080', 'local'],
      ['https://id.example', 'http://127.0.0.1:8080', 'local'],
    ] as const) {
      const found = opening(from, issuer, []);
      assert.ok(found.type === 'explain', from);
      assert.equal(found.reason, reason);
    }
  });
});
