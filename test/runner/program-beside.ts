import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ProgramResult {
  readonly file: string;
  readonly isPassed: boolean;
  /** What it wrote to standard output and standard error. */
  readonly output: string;
  readonly milliseconds: number;
}

/** Runs a program of Node.js while tests run. Its path is relative to the root. */
export async function runBeside(root: string, file: string): Promise<ProgramResult> {
  const started = performance.now();
  const child = spawn(process.execPath, [file], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [, ...outputs] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const milliseconds = performance.now() - started;
  return { file, isPassed: child.exitCode === 0, output: outputs.join(''), milliseconds };
}
