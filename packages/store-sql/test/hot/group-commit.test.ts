import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { GroupCommit, type GroupCommitOptions } from '../../src/hot/group-commit.ts';

/** A group commit whose commits the test resolves. */
function setUp(options: Partial<GroupCommitOptions<number, string>> = {}) {
  const commits: { operations: readonly number[]; succeed(): void; fail(error: Error): void }[] = [];
  const writes = new GroupCommit<number, string>({
    commit(operations) {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      commits.push({ operations, succeed: () => resolve(operations.map((n) => `done ${n}`)), fail: reject });
      return promise;
    },
    chunkSize: 3,
    underWay: 1,
    maxPending: 100,
    timeout: 1000,
    ...options,
  });
  return { writes, commits };
}

const endOfTurn = () => new Promise(setImmediate);

/** Operations that wait for a commit are sent at the end of the turn in which it resolves. */
async function handedOver(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}

/** Both of the clocks that the group commit reads. */
function fakeTime(context: TestContext): (milliseconds: number) => void {
  let now = 0;
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(performance, 'now', () => now);
  return (milliseconds) => {
    now += milliseconds;
    context.mock.timers.tick(milliseconds);
  };
}

describe('group commit', () => {
  it('commits together what one turn of the event loop adds, and returns each its own result', async () => {
    const { writes, commits } = setUp();
    const answers = Promise.all([writes.add(1), writes.add(2)]);
    assert.equal(commits.length, 0);
    await endOfTurn();
    assert.deepEqual(
      commits.map(({ operations }) => operations),
      [[1, 2]],
    );
    commits[0]?.succeed();
    assert.deepEqual(await answers, ['done 1', 'done 2']);
  });

  it('commits a full chunk at once, without waiting for the commit before', async () => {
    const { writes, commits } = setUp();
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((n) => writes.add(n)));
    assert.deepEqual(
      commits.map(({ operations }) => operations),
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    );
    commits[1]?.succeed();
    commits[0]?.succeed();
    assert.deepEqual(await answers, ['done 1', 'done 2', 'done 3', 'done 4', 'done 5', 'done 6']);
  });

  it('lets an incomplete chunk wait for the commit before, and commits it as one', async () => {
    const { writes, commits } = setUp();
    const first = writes.add(1);
    await endOfTurn();
    const second = writes.add(2);
    await endOfTurn();
    const third = writes.add(3);
    await endOfTurn();
    assert.equal(commits.length, 1);
    commits[0]?.succeed();
    await first;
    await endOfTurn();
    assert.deepEqual(
      commits.map(({ operations }) => operations),
      [[1], [2, 3]],
    );
    commits[1]?.succeed();
    assert.deepEqual(await Promise.all([second, third]), ['done 2', 'done 3']);
  });

  it('keeps several commits under way, and hands over what comes after one of them has ended', async () => {
    const { writes, commits } = setUp({ underWay: 2 });
    const added = async (n: number) => {
      const answer = writes.add(n);
      await endOfTurn();
      return { answer };
    };
    const answers = [await added(1), await added(2)];
    commits[0]?.succeed();
    await handedOver();
    answers.push(await added(3), await added(4), await added(5));
    commits[1]?.succeed();
    await handedOver();
    for (const commit of commits) commit.succeed();
    assert.deepEqual(
      commits.map(({ operations }) => operations),
      [[1], [2], [3], [4, 5]],
    );
    await Promise.all(answers.map(({ answer }) => answer));
  });

  it('resolves only after the commit', async () => {
    const { writes, commits } = setUp();
    let answered = false;
    const answer = writes.add(1).then(() => {
      answered = true;
    });
    await endOfTurn();
    await endOfTurn();
    assert.ok(!answered);
    commits[0]?.succeed();
    await answer;
  });

  it('rejects only the chunk of a failed commit', async () => {
    const { writes, commits } = setUp();
    const answers = Promise.allSettled([1, 2, 3, 4].map((n) => writes.add(n)));
    await endOfTurn();
    const reason = new Error('no');
    commits[0]?.fail(reason);
    await handedOver();
    commits[1]?.succeed();
    const rejected = { status: 'rejected', reason };
    assert.deepEqual(await answers, [rejected, rejected, rejected, { status: 'fulfilled', value: 'done 4' }]);
    const later = writes.add(5);
    await endOfTurn();
    commits[2]?.succeed();
    assert.equal(await later, 'done 5');
  });

  it('rejects additions beyond its limit at once, until some are committed', async () => {
    const { writes, commits } = setUp({ maxPending: 4 });
    const answers = [1, 2, 3, 4].map((n) => writes.add(n));
    await assert.rejects(writes.add(5), StoreUnavailableError);
    await endOfTurn();
    commits[0]?.succeed();
    await answers[0];
    const later = writes.add(6);
    await endOfTurn();
    assert.deepEqual(
      commits.map(({ operations }) => operations),
      [
        [1, 2, 3],
        [4, 6],
      ],
    );
    for (const commit of commits) commit.succeed();
    await Promise.all([...answers, later]);
  });
});

describe('group commit that takes too long', () => {
  it('rejects late operations, and no others', async (context) => {
    const pass = fakeTime(context);
    const { writes, commits } = setUp();
    const late = assert.rejects(writes.add(1), StoreUnavailableError);
    await endOfTurn();
    pass(600);
    const inTime = writes.add(2);
    await endOfTurn();
    pass(400);
    await late;
    commits[0]?.succeed();
    await handedOver();
    commits[1]?.succeed();
    assert.equal(await inTime, 'done 2');
  });

  it('rejects later operations when they are late in turn', async (context) => {
    const pass = fakeTime(context);
    const { writes } = setUp();
    const first = assert.rejects(writes.add(1), StoreUnavailableError);
    await endOfTurn();
    pass(999);
    const second = assert.rejects(writes.add(2), StoreUnavailableError);
    await endOfTurn();
    pass(1);
    await first;
    for (let quarter = 0; quarter < 4; quarter += 1) pass(250);
    await second;
  });

  it('counts rejected operations until their commit has ended', async (context) => {
    const pass = fakeTime(context);
    const { writes, commits } = setUp({ maxPending: 1 });
    const late = assert.rejects(writes.add(1), StoreUnavailableError);
    await endOfTurn();
    pass(1000);
    await late;
    await assert.rejects(writes.add(2), /too many writes/);
    let idle = false;
    const untilIdle = writes.idle().then(() => {
      idle = true;
    });
    await endOfTurn();
    assert.ok(!idle);
    commits[0]?.succeed();
    await untilIdle;
    const later = writes.add(3);
    await endOfTurn();
    commits[1]?.succeed();
    assert.equal(await later, 'done 3');
  });
});

describe('group commit is idle', () => {
  it('at once when no operation is waiting', async () => {
    await setUp().writes.idle();
  });

  it('when every operation has its result, also an error, for every caller that waits', async () => {
    const { writes, commits } = setUp();
    const answers = Promise.allSettled([1, 2, 3, 4].map((n) => writes.add(n)));
    let idle = 0;
    const waiting = [1, 2].map(() =>
      writes.idle().then(() => {
        idle += 1;
      }),
    );
    await endOfTurn();
    commits[0]?.fail(new Error('no'));
    await handedOver();
    assert.equal(idle, 0);
    commits[1]?.succeed();
    await Promise.all(waiting);
    assert.equal((await answers).length, 4);
  });
});
