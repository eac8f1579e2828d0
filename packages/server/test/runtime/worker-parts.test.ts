import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { createLogger } from '../../src/runtime/log/logger.ts';
import { Distribution, type Taker } from '../../src/workers/distribution.ts';
import { passOnLines } from '../../src/workers/log-lines.ts';
import type { Order } from '../../src/workers/messages.ts';
import { failuresAfter, restartDelay } from '../../src/workers/supervisor.ts';
import { type Pinged, WorkerWatch } from '../../src/workers/worker-watch.ts';

/** A worker that takes connections when the test says so. */
class TestTaker implements Taker {
  open = 0;
  readonly given: Socket[] = [];

  take({ connection }: { readonly connection: Socket }): void {
    this.open += 1;
    this.given.push(connection);
  }
}

/** A worker that is killed and told what the test looks at. */
class TestWorker implements Pinged {
  readonly number: number;
  readonly pid = 1;
  /** How many others were silent, by ping. */
  readonly told: number[] = [];
  killedFor: string | undefined;

  constructor(number: number) {
    this.number = number;
  }

  send(order: Order): void {
    if (order.kind === 'ping') this.told.push(order.silent);
  }

  kill(reason: string): void {
    this.killedFor = reason;
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
    assert.ok(connections[0]?.destroyed);
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
    assert.ok(!untaken.destroyed);
    distribution.taken(other);
    assert.ok(untaken.destroyed);
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

describe('a worker that hangs', () => {
  function watched(count: number) {
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line) };
    const watch = new WorkerWatch(
      createLogger('info', { stream: sink, dropped: () => 0, flush: async () => {} }, { version: '0.0.0' }),
    );
    const workers = Array.from({ length: count }, (_, index) => new TestWorker(index + 1));
    for (const worker of workers) watch.add(worker);
    /** Some turns of the watch, in which the others answer. */
    const turns = (number: number, ...hanging: readonly TestWorker[]) => {
      for (let turn = 0; turn < number; turn += 1) {
        watch.ping();
        for (const worker of workers) if (!hanging.includes(worker)) watch.answered(worker);
      }
    };
    return { watch, workers, turns, log: () => lines.map((line) => JSON.parse(line)) };
  }

  it('is killed when it has not answered for 30 seconds, whatever connections it has', () => {
    const { workers, turns, log } = watched(2);
    const [hanging = new TestWorker(0), other] = workers;
    turns(6, hanging);
    assert.equal(hanging.killedFor, undefined);
    turns(1, hanging);
    assert.equal(hanging.killedFor, 'it did not answer for 30 seconds');
    assert.equal(other?.killedFor, undefined);
    assert.deepEqual(
      log().map(({ level, worker, msg }) => [level, worker, msg]),
      [[40, 1, 'a worker has not answered for 10 s; the server is not ready']],
    );
  });

  it('is told to the others, who are not ready until it is killed', () => {
    const { workers, turns } = watched(3);
    const [hanging = new TestWorker(0), other] = workers;
    turns(8, hanging);
    assert.deepEqual(other?.told, [0, 0, 1, 1, 1, 1, 0, 0]);
  });

  it('goes on when it answers again', () => {
    const { workers, turns, log } = watched(2);
    const [hanging = new TestWorker(0), other] = workers;
    turns(4, hanging);
    turns(8);
    assert.equal(hanging.killedFor, undefined);
    assert.equal(log().at(-1)?.msg, 'a worker answers again');
    assert.equal(other?.told.at(-1), 0);
  });

  it('is not one whose answer waits because the main process was stopped', () => {
    const { watch, workers, turns, log } = watched(2);
    turns(1);
    // Timers come before messages: after a stop of any length the next turn begins without the answers to the last one.
    watch.ping();
    turns(1);
    assert.deepEqual(workers.at(0)?.told, [0, 0, 0]);
    assert.deepEqual(log(), []);
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
