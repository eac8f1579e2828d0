import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, shown, spreadOf } from '../measure/statistics.ts';

interface Measured {
  /** Milliseconds. */
  readonly time: number;
  /** Milliseconds of processor time, of all threads: other work on the machine changes it less. */
  readonly processor: number;
}

const processes = 10;
/** Milliseconds of processor time from the call to the first answer, in a fresh process. */
const bound = 200;
const program = fileURLToPath(new URL('./test-server/first-answers.js', import.meta.url));

/** `npm run bench -- test-server`: starts of the server for tests, in fresh processes, of the packages that `npm run build` has made. */
export async function benchTestServer(): Promise<void> {
  const runs: { readonly imported: Measured; readonly starts: readonly Measured[] }[] = [];
  for (let run = 0; run < processes; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    runs.push(JSON.parse(stdout));
  }
  const firsts = runs.flatMap(({ starts }) => starts.slice(0, 1));
  print(
    'import',
    runs.map(({ imported }) => imported),
  );
  print('first start of a process, until a request is answered', firsts);
  print(
    'later starts',
    runs.flatMap(({ starts }) => starts.slice(1)),
  );
  if (median(firsts.map(({ processor }) => processor)) > bound)
    throw new Error(`expected at most ${bound} ms of processor time for the first start`);
}

function print(what: string, measured: readonly Measured[]): void {
  const [time, processor] = (['time', 'processor'] as const).map((each) =>
    shown(spreadOf(measured.map((one) => one[each]))),
  );
  console.log(`${what}: ${time} ms, processor ${processor} ms`);
}
