import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const ticksPerSecond = 100;

/**
 * Processor time in seconds that all processes of the machine have used since its start, with what a hypervisor gave to other
 * machines. Interrupts are left out: no process is charged for them.
 */
export function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = (
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return (user + nice + system + stolen) / ticksPerSecond;
}

/** The share of the machine, 0 to 1, that others used while our processes used so many of its seconds. */
export function shareOfOthers(machine: number, ours: number, elapsedSeconds: number): number {
  return Math.max(0, (machine - ours) / (elapsedSeconds * cpus().length));
}
