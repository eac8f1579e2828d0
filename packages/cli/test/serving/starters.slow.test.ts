import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { npmStart, startBy } from '../support/started-by.ts';

describe('npm start', () => {
  it('passes SIGTERM on to the server and ends with its exit code', async () => {
    await using server = await startBy(npmStart);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.match(server.log(), /"msg":"shut down"/);
  });
});
