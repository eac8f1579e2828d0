import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { freePort } from '@watchword/testkit/free-port';

/** Where the package of Debian has it. */
const program = '/usr/sbin/pgbouncer';

export const hasPgbouncer = existsSync(program);

/** PgBouncer in transaction mode: each transaction can get another connection to the server. */
export interface Pgbouncer extends AsyncDisposable {
  /** The URL, through PgBouncer. */
  url(url: string): string;
}

/**
 * @param server the URL of the server, with its password
 * @param poolSize number of connections to the server
 */
export async function startPgbouncer(server: string, poolSize: number): Promise<Pgbouncer> {
  const { hostname, port, username, password } = new URL(server);
  const directory = await mkdtemp(join(tmpdir(), 'watchword-pgbouncer-'));
  const ownPort = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
`,
  );
  // PgBouncer refuses to be root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  await chmod(directory, 0o755);
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  while (!(await accepts(ownPort))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer has ended: ${log}`);
  }
  return {
    url(url) {
      const through = new URL(url);
      through.host = `127.0.0.1:${ownPort}`;
      return through.href;
    },
    async [Symbol.asyncDispose]() {
      await end(child);
      await rm(directory, { recursive: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await setImmediate();
    return false;
  } finally {
    socket.destroy();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
