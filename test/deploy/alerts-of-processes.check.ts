import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  bin,
  type RunningServer,
  startProcess,
  temporaryDirectory,
  until,
  type Wrap,
} from '@watchword/server-testkit/processes/process';
import { copyDemo, servedRequests, startServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { bundleProgram } from '../runner/bundled-program.ts';
import { demoDatabase } from './demo-database.ts';
import { missing, type Prometheus } from './prometheus.ts';
import { repeated, startQuickPrometheus } from './quick-prometheus.ts';

describe('with Prometheus and faults of processes', { skip: missing('prometheus') }, () => {
  const resources = new AsyncDisposableStack();
  let prometheus: Prometheus;
  before(async () => {
    prometheus = resources.use(await startQuickPrometheus());
  });
  after(() => resources.disposeAsync());

  /** A server over SQLite in a process, whose job has this name. */
  async function served(job: string, wrap?: Wrap, port?: number) {
    const opened = new AsyncDisposableStack();
    const directory = opened.use(await temporaryDirectory());
    await copyDemo(directory.file('x.db'), 'sqlite');
    const at = port ?? (await freePort());
    const args = ['--host', '127.0.0.1', '--port', String(at), '--database', directory.file('x.db')];
    const start = async () => opened.use(await startProcess(args, wrap));
    const process = await start();
    prometheus.scrape(job, at);
    await isUp(job);
    return { process, start, port: at, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  }

  const isUp = (job: string) =>
    until(async () => (await prometheus.query(`up{job="${job}"} == 1`)).length > 0, 500);

  it('WatchwordAbsent: fires while Prometheus has no server at all', async () => {
    await using alone = await startQuickPrometheus();
    await alone.fires('WatchwordAbsent');
    await using server = await startServer({}, 'sqlite');
    alone.scrape('any', server.port);
    await alone.ends('WatchwordAbsent');
  });

  it('WatchwordDown: fires for a server that does not answer, whatever the job is named', async () => {
    await using server = await served('a-release');
    await server.process.end('SIGKILL');
    await prometheus.fires('WatchwordDown', 'a-release');
    await server.start();
    await prometheus.ends('WatchwordDown', 'a-release');
  });

  it('WatchwordRestarts: fires for a server that starts again and again', async () => {
    await using server = await served('restarted');
    let running: RunningServer = server.process;
    {
      await using _restarts = repeated(async () => {
        await running.end('SIGKILL');
        running = await server.start();
        await isUp('restarted');
      });
      await prometheus.fires('WatchwordRestarts', 'restarted');
    }
    await prometheus.ends('WatchwordRestarts', 'restarted');
  });

  it('WatchwordEventLoopBlocked: fires while other programs take the processor away', async () => {
    await using server = await served('starved');
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    {
      await using _others = repeated(async () => {
        server.process.child.kill('SIGSTOP');
        await pause(400);
        server.process.child.kill('SIGCONT');
        await pause(100);
      });
      await prometheus.fires('WatchwordEventLoopBlocked', 'starved');
    }
    await prometheus.ends('WatchwordEventLoopBlocked', 'starved');
  });

  it('WatchwordFileDescriptors: fires while connections use nearly all', async () => {
    const limit = 160;
    await using server = await served('descriptors', (command) => [
      'sh',
      '-c',
      `ulimit -n ${limit}; exec "$@"`,
      'sh',
      ...command,
    ]);
    const open: Socket[] = [];
    try {
      await using _clients = repeated(async () => {
        const [
          {
            value: [, used],
          } = { value: [0, '0'] as const },
        ] = await prometheus.query('process_open_fds{job="descriptors"}');
        if (Number(used) > 0.9 * limit) return;
        const socket = connect(server.port, '127.0.0.1').on('error', () => {});
        open.push(socket);
        await once(socket, 'connect');
      });
      await prometheus.fires('WatchwordFileDescriptors', 'descriptors');
    } finally {
      for (const socket of open) socket.destroy();
    }
    await prometheus.ends('WatchwordFileDescriptors', 'descriptors');
  });

  it('WatchwordLogLinesDropped: fires while nobody reads the log', async () => {
    await using server = await served('unread');
    const requests = servedRequests(`http://127.0.0.1:${server.port}`);
    const log = server.process.child.stdout;
    {
      log?.pause();
      await using _load = repeated(() => requests.get('/unknown'), 16);
      await prometheus.fires('WatchwordLogLinesDropped', 'unread');
    }
    log?.resume();
    await prometheus.ends('WatchwordLogLinesDropped', 'unread');
  });

  it('WatchwordWorkerRestarts, WatchwordWorkersMissing: fire for a worker that ends, and one that cannot start', async () => {
    await using database = await demoDatabase();
    await using proxy = await tcpProxy({ port: Number(new URL(database.url).port) });
    const port = await freePort();
    const where = ['--host', '127.0.0.1', '--port', String(port), '--database', proxy.url(database.url)];
    await using server = await startProcess([...where, '--workers', '2']);
    prometheus.scrape('workers', port);
    const all = () =>
      until(async () => (await prometheus.query('watchword_workers{job="workers"} == 2')).length > 0, 500);
    await all();
    const killLast = () => {
      const ready = /"workerPid":(\d+)[^\n]*"msg":"a worker is ready"/g;
      process.kill(Number([...server.log().matchAll(ready)].at(-1)?.[1]), 'SIGKILL');
    };
    killLast();
    await prometheus.fires('WatchwordWorkerRestarts', 'workers');
    await prometheus.ends('WatchwordWorkerRestarts', 'workers');
    await all();
    proxy.refuse();
    killLast();
    await prometheus.fires('WatchwordWorkersMissing', 'workers');
    proxy.accept();
    await prometheus.ends('WatchwordWorkersMissing', 'workers');
  });

  it('WatchwordVersionsDiffer: fires until the last server has the newer release', async () => {
    const version = new URL('../../packages/server/src/version.ts', import.meta.url).pathname;
    await using newer = await bundleProgram(new Map([[version, `export const version = '99.0.0';\n`]]));
    const upgraded: Wrap = (command) => command.map((word) => (word === bin ? newer.bin : word));
    await using old = await served('upgraded');
    await using first = await served('first', upgraded);
    prometheus.scrape('first');
    prometheus.scrape('upgraded', old.port, first.port);
    await prometheus.fires('WatchwordVersionsDiffer', 'upgraded');
    await old.process.end('SIGTERM');
    await using _last = await served('upgraded', upgraded, old.port);
    prometheus.scrape('upgraded', old.port, first.port);
    await prometheus.ends('WatchwordVersionsDiffer', 'upgraded');
  });
});
