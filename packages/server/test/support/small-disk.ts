import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Wrap } from '@watchword/server-testkit/processes/process';

/** A file system of a few kilobytes in a mount namespace of its own, so that no test leaves a mount behind. */
export interface SmallDisk extends AsyncDisposable {
  /** Its path for processes that `wrap` starts. */
  readonly path: string;
  /** Its path for the test itself. */
  readonly outside: string;
  readonly wrap: Wrap;
}

/** `undefined`, with a line in the output, when the right to mount is missing. */
export async function smallDisk(kilobytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'watchword-disk-'));
  const mount = `mount -t tmpfs -o size=${kilobytes}k watchword "$0" && echo mounted && exec cat`;
  // The process ends with its standard input, at the latest with the test, and removes the mount.
  const holder = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', mount, path]);
  const ended = once(holder, 'close');
  holder.on('error', () => {});
  const mounted = await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'error'),
    ended.then(() => []),
  ]);
  if (!String(mounted[0]).startsWith('mounted')) {
    console.log(
      '# no right to mount a small file system here: a full disk is stood in for by something else',
    );
    await rm(path, { recursive: true });
    return undefined;
  }
  const enter = ['--user', '--preserve-credentials', '--mount', '--target', String(holder.pid)];
  return {
    path,
    outside: `/proc/${holder.pid}/root${path}`,
    wrap: (command) => ['nsenter', ...enter, ...command],
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await ended;
      await rm(path, { recursive: true });
    },
  };
}
