import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Examination } from '../../store/store.ts';

// Milliseconds. A reader prevents a restart of the write-ahead log, so its time is limited.
const timeLimit = 60_000;
const leastPriority = 19;

/** Searches for damage in a separate process, which uses the processor only if no other process does. */
export async function examine(file: string, signal: AbortSignal): Promise<Examination> {
  // Loaded when a server has started: no other part of it starts processes.
  const { execFile } = await import('node:child_process');
  const script = fileURLToPath(import.meta.resolve('#examine-process'));
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, file],
      { timeout: timeLimit, killSignal: 'SIGKILL', signal },
      (error, output, stderr) => resolve(outcomeOf(error, output, stderr)),
    );
    yieldToAll(child.pid);
  });
}

function yieldToAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, leastPriority);
  } catch {
    // The process has ended already, or this system does not support priorities.
  }
}

function outcomeOf(
  error: (Error & { readonly killed?: boolean }) | null,
  output: string,
  stderr: string,
): Examination {
  if (error?.killed) return { outcome: 'unfinished', findings: [`it took more than ${timeLimit / 1000} s`] };
  if (error !== null) return { outcome: 'unfinished', findings: [stderr || error.message] };
  const findings: string[] = JSON.parse(output);
  return { outcome: findings.length === 0 ? 'sound' : 'damaged', findings };
}
