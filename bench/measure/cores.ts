import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Numbers of processors, as `taskset` writes them: `0-2,5`. */
export interface Cores {
  readonly servers: string;
  readonly generator: string;
}

/** Read before the first pinning: one run has several benchmarks, and each pins the generator. */
let allowed: readonly number[] | undefined;

/**
 * Gives the generator, which is this process, a core of its own, and the servers all others. Each server has the same cores, and
 * the generator takes time from none of them. It has to be called after the servers have started: their later threads inherit the cores.
 *
 * @returns the reason if the system does not allow it
 */
export function pinApart(serverProcessIds: readonly number[]): Cores | string {
  if (process.platform !== 'linux') return 'only Linux pins processes to cores';
  allowed ??= allowedCores(readFileSync('/proc/self/status', 'utf8'));
  const generator = allowed.at(-1);
  if (generator === undefined || allowed.length < 2) return 'there is one core only';
  const others = allowed.filter((core) => core !== generator);
  const siblings = siblingsOf(generator);
  const apart = others.filter((core) => !siblings.includes(core));
  const cores = {
    servers: (apart.length > 0 ? apart : others).join(','),
    generator: String(generator),
  };
  try {
    pin(process.pid, cores.generator);
    for (const processId of serverProcessIds) pin(processId, cores.servers);
  } catch (error) {
    return `taskset: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
  return cores;
}

/** All threads that a process has now. */
function pin(processId: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(processId)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function allowedCores(status: string): readonly number[] {
  return coresOf(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
}

/** Logical processors of the same core, itself included. */
function siblingsOf(core: number): readonly number[] {
  const file = `/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`;
  return existsSync(file) ? coresOf(readFileSync(file, 'utf8').trim()) : [];
}

function coresOf(list: string): readonly number[] {
  return list.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
