import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { Distribution, type Taker } from '../src/workers/distribution.ts';
import { passOnLines } from '../src/workers/log-lines.ts';
import { failuresAfter, restartDelay } from '../src/workers/restart-delay.ts';

/** A worker that takes connections when the test says so. */
class TestTaker implements Taker {
  open = 0;
  readonly given: Socket[] = [];

  take({ connection }: { readonly connection: Socket }): void {
    this.open += 1;
    this.given.push(connection);
  }
}

describe('the distribution of connections', () => {
  let server: Server;
  before(async () => {
    server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** A connection that the server has accepted. */
  async function connection(): Promise<Socket> {
    const address = server.address();
    const accepted = once(server, 'connection');
    const client = createConnection({
      port: typeof address === 'object' ? (address?.port ?? 0) : 0,
      host: '127.0.0.1',
    });
    client.on('error', () => {});
    const [socket] = await accepted;
    return socket;
  }

  function distributionOf(...takers: readonly Taker[]) {
    const unserved: Socket[] = [];
    const distribution = new Distribution((accepted) => {
      unserved.push(accepted.connection);
      accepted.connection.destroy();
    });
    for (const taker of takers) distribution.add(taker);
    return { distribution, unserved };
  }

  it('gives each to the worker with the fewest, and to equal ones in turn', async () => {
    const takers = [new TestTaker(), new TestTaker(), new TestTaker()];
    const { distribution } = distributionOf(...takers);
    const give = async () => {
      const before = takers.map(({ given }) => given.length);
      distribution.accept({ port: 'server', connection: await connection() });
      const chosen = takers.findIndex(({ given }, index) => given.length > (before[index] ?? 0));
      const taker = takers[chosen];
      if (taker !== undefined) distribution.taken(taker);
      return chosen;
    };
    assert.deepEqual([await give(), await give(), await give(), await give()], [0, 1, 2, 0]);
    for (const taker of takers) taker.open = 5;
    const [, second] = takers;
    if (second !== undefined) second.open = 1;
    assert.deepEqual([await give(), await give(), await give()], [1, 1, 1]);
  });

  it('gives a worker one at a time, and the others wait', async () => {
    const taker = new TestTaker();
    const { distribution } = distributionOf(taker);
    const connections = [await connection(), await connection()];
    for (const each of connections) distribution.accept({ port: 'server', connection: each });
    assert.deepEqual(taker.given, connections.slice(0, 1));
    distribution.taken(taker);
    assert.deepEqual(taker.given, connections);
    assert.equal(connections[0]?.destroyed, true);
    distribution.taken(taker);
    await distribution.idle();
  });

  it('gives the connection that a worker has not taken to another when the worker ends', async () => {
    const [dying, other] = [new TestTaker(), new TestTaker()];
    const { distribution } = distributionOf(dying, other);
    const untaken = await connection();
    distribution.accept({ port: 'server', connection: untaken });
    assert.deepEqual(dying.given, [untaken]);
    distribution.remove(dying);
    assert.deepEqual(other.given, [untaken]);
    assert.equal(untaken.destroyed, false);
    distribution.taken(other);
    assert.equal(untaken.destroyed, true);
  });

  it('gives none to a worker that begins to end, also after the one that it still takes', async () => {
    const [leaving, other] = [new TestTaker(), new TestTaker()];
    const { distribution } = distributionOf(leaving, other);
    distribution.accept({ port: 'server', connection: await connection() });
    distribution.leave(leaving);
    distribution.taken(leaving);
    for (let each = 0; each < 2; each += 1) {
      distribution.accept({ port: 'server', connection: await connection() });
      distribution.taken(other);
    }
    assert.equal(leaving.given.length, 1);
    assert.equal(other.given.length, 2);
  });

  it('lets connections be answered without a worker while there is none', async () => {
    const taker = new TestTaker();
    const { distribution, unserved } = distributionOf(taker);
    distribution.remove(taker);
    distribution.accept({ port: 'server', connection: await connection() });
    assert.equal(unserved.length, 1);
    await distribution.idle();
  });
});

describe('the log of a worker', () => {
  it('is passed on in whole lines, without the part that a killed worker leaves', async () => {
    const [from, written] = [new PassThrough(), [] as string[]];
    passOnLines(from, (lines) => written.push(lines));
    const text = '{"level":30,"msg":"é"}\n';
    const bytes = Buffer.from(`${text}${text}{"level":30,"ms`);
    // Divides the two bytes of a letter.
    from.write(bytes.subarray(0, 20));
    from.write(bytes.subarray(20, 30));
    from.end(bytes.subarray(30));
    await once(from, 'end');
    assert.equal(written.join(''), text + text);
    for (const part of written) assert.ok(part.endsWith('\n'), part);
  });
});

describe('a worker that ends', () => {
  it('is replaced at once, and after pauses that double up to ten seconds when the next ones end early', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 20].map(restartDelay), [0, 0, 100, 200, 400, 10_000]);
  });

  it('ended early unless it was ready for a minute', () => {
    assert.equal(failuresAfter(3, 0), 4);
    assert.equal(failuresAfter(3, 59_999), 4);
    assert.equal(failuresAfter(3, 60_000), 1);
  });
});
