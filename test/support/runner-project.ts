import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('../runner/main.ts', import.meta.url));

/** The files of a project by their paths. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** What the runner printed, and its exit code. */
export interface Printed {
  readonly code: unknown;
  readonly lines: readonly string[];
}

/** Runs the tests of projects, which are removed after that. */
export interface ProjectRuns extends AsyncDisposable {
  /** Runs the files of a project one after the other. */
  run(files: ProjectFiles, args?: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Printed>;
}

export async function projectRuns(): Promise<ProjectRuns> {
  // Compiling the sources of the runner takes half of the processor time of a run, so the first run leaves the result to the others.
  // The cache is not that of the project, because it would grow with the files of each run.
  const compileCache = await mkdtemp(join(tmpdir(), 'watchword-runner-cache-'));
  return {
    async run(files, args = [], environment = {}) {
      const root = await mkdtemp(join(tmpdir(), 'watchword-runner-'));
      try {
        for (const [file, text] of Object.entries(files)) {
          await mkdir(join(root, dirname(file)), { recursive: true });
          await writeFile(join(root, file), text);
        }
        const {
          NODE_TEST_CONTEXT: _,
          TEST_SOAK: _soak,
          TEST_SLOW: _slow,
          TEST_DATABASE: _database,
          ...inherited
        } = process.env;
        const env = { ...inherited, NODE_COMPILE_CACHE: compileCache, ...environment };
        return await new Promise<Printed>((resolve) => {
          const command = [runner, '--processes', '1', ...args];
          execFile(process.execPath, command, { cwd: root, env }, (error, stdout) =>
            resolve({ code: error?.code ?? 0, lines: stdout.trimEnd().split('\n') }),
          );
        });
      } finally {
        await rm(root, { recursive: true });
      }
    },
    [Symbol.asyncDispose]: () => rm(compileCache, { recursive: true }),
  };
}

/** The closing lines. */
export function closing({ lines }: Printed): readonly string[] {
  return lines.slice(lines.lastIndexOf('') + 1);
}

/** The lines below the first one of a failure or a file, which begins with the text. */
export function below({ lines }: Printed, start: string): string[] {
  const after = lines.slice(lines.findIndex((line) => line.startsWith(start)) + 1);
  const end = after.findIndex((line) => !line.startsWith('    '));
  return after.slice(0, end).map((line) => line.trim());
}
