import { readFileSync } from 'node:fs';

/** The most resident memory that a running process has had, in MB. */
export function peakMemory(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
