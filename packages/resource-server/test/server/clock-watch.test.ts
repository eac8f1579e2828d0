import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accept } from '../support/authorization-server.ts';
import { startVerifier, type TestVerifier } from '../support/verifier.ts';

/** Lets the clock of the server differ from that of the verifier by so many milliseconds. */
function dated(test: TestVerifier, ahead: number, headers: Record<string, string> = {}): void {
  test.server.answer((request, response) => {
    response.setHeader('date', new Date(test.system.now() + ahead).toUTCString());
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    accept()(request, response);
  });
}

const hour = 3_600_000;

describe('the clock of the API', () => {
  for (const [which, ahead] of [
    ['behind', hour],
    ['ahead of', -hour],
  ] as const) {
    it(`is named in a warning when it is an hour ${which} that of the server, once an hour`, async () => {
      await using test = await startVerifier();
      dated(test, ahead);
      for (const token of ['one', 'two']) await test.verifier.verify(token);
      const [warning = '', ...more] = test.system.warnings;
      assert.match(
        warning,
        new RegExp(`^The clock of this machine is 3(?:600|599) s ${which} that of the auth`),
      );
      assert.match(warning, /date -u/);
      assert.ok(warning.includes(test.server.url));
      assert.deepEqual(more, []);
      test.system.advance(hour);
      await test.verifier.verify('three');
      assert.equal(test.system.warnings.length, 2);
    });
  }

  it('is not named while it differs by less than a minute', async () => {
    await using test = await startVerifier();
    for (const ahead of [0, 59_000, -59_000]) {
      dated(test, ahead);
      await test.verifier.verify(`token-${ahead}`);
    }
    assert.deepEqual(test.system.warnings, []);
  });

  it('is not named because a cache has kept an answer, nor without a time that can be read', async () => {
    await using test = await startVerifier();
    dated(test, -hour, { age: '3600' });
    await test.verifier.verify('one');
    dated(test, -hour, { date: 'yesterday' });
    await test.verifier.verify('two');
    dated(test, -hour, { age: 'old' });
    await test.verifier.verify('three');
    assert.deepEqual(test.system.warnings, []);
  });

  it('counts no time that an answer needs', async () => {
    await using test = await startVerifier(undefined, { timeout: 60_000 });
    test.server.answer((request, response) => {
      response.setHeader('date', new Date(test.system.now()).toUTCString());
      test.system.advance(29_000);
      accept()(request, response);
    });
    await test.verifier.verify('one');
    assert.deepEqual(test.system.warnings, []);
  });
});
