// The time by the clock depends on what else the machine does; the processor time shows which files are dear.
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks in a second of the times in /proc: USER_HZ, which is 100 on every architecture that Node.js supports. */
const ticks = 100;

interface Times {
  readonly parent: number;
  /** Of the process and those that it has started, waited for and that have ended. */
  readonly seconds: number;
}

/**
 * Seconds of processor time that a process has used, with all that it has started and that has not left it.
 *
 * @returns 0 where there is no /proc
 */
export function processorSeconds(pid: number): number {
  const all = processes();
  const tree = new Set([pid]);
  let seconds = all.get(pid)?.seconds ?? 0;
  // A set is iterated over in the order of insertion, also what is inserted meanwhile.
  for (const parent of tree) {
    for (const [child, times] of all) {
      if (times.parent !== parent || tree.has(child)) continue;
      tree.add(child);
      seconds += times.seconds;
    }
  }
  return seconds;
}

function processes(): Map<number, Times> {
  const found = new Map<number, Times>();
  for (const name of entries('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(name) : undefined;
    if (times !== undefined) found.set(Number(name), times);
  }
  return found;
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Undefined for a process that has ended. */
function timesOf(pid: string): Times | undefined {
  try {
    // proc_pid_stat(5). The name of the program, in brackets, can have spaces.
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
    const sum = (utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0);
    return { parent: Number(fields[1]), seconds: sum / ticks };
  } catch {
    return undefined;
  }
}
