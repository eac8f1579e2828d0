import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { tokenFactory } from '@watchword/testkit';
import { WriteProof } from '../../src/store/assemble-store.ts';
import { testDatabase } from '../support/test-database.ts';

describe('a check of the database', onlyOn('sqlite', 'locks the file'), () => {
  it('fails while another process has the write lock, and succeeds again afterwards', async () => {
    await using database = await testDatabase();
    const store = await database.openServer();
    await store.check();
    const other = database.connect();
    other.exec('begin immediate');
    // The check knows of failures, even right after a successful commit.
    await assert.rejects(store.accessTokens.insert(tokenFactory()()), StoreUnavailableError);
    await assert.rejects(store.check(), StoreUnavailableError);
    other.exec('rollback');
    await store.check();
  });
});

describe('the test for writes', () => {
  function setUp(context: TestContext) {
    let now = 0;
    context.mock.method(performance, 'now', () => now);
    const written: number[] = [];
    let isFull = false;
    const proof: WriteProof = new WriteProof((bytes) =>
      proof.note(
        isFull
          ? Promise.reject(new StoreUnavailableError('full'))
          : Promise.resolve(void written.push(bytes)),
      ),
    );
    return {
      proof,
      written,
      advance: (milliseconds: number) => {
        now += milliseconds;
      },
      fill: (full: boolean) => {
        isFull = full;
      },
    };
  }

  it('is any commit of the last second; without one it writes a little', async (context) => {
    const { proof, written, advance } = setUp(context);
    await proof.note(Promise.resolve());
    advance(999);
    await proof.prove();
    assert.deepEqual(written, []);
    advance(1);
    await proof.prove();
    assert.deepEqual(written, [16]);
    await proof.prove();
    assert.deepEqual(written, [16]);
  });

  it('writes much after a failure, because a full disk can have space for a little', async (context) => {
    const { proof, written, fill } = setUp(context);
    fill(true);
    await assert.rejects(proof.prove());
    await assert.rejects(proof.prove());
    fill(false);
    await proof.prove();
    assert.deepEqual(written, [65_536]);
  });
});
