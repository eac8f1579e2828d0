import { parseArgs } from 'node:util';
import { ownBin } from './watchword.ts';

export interface DemoOptions {
  /** Of Watchword; others get the next ones. 0 = any free ones. */
  readonly port: number;
  /** File of Watchword's database; the other files lie beside it. */
  readonly database: string;
  /** The file that runs `watchword`. */
  readonly bin: string;
}

export interface Running {
  /** Resolves with its exit code when Watchword ends, asked or not. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Runs a demo until Ctrl-C. @param start starts it and tells the user about it */
export async function run<Demo extends Running>(
  database: string,
  start: (options: DemoOptions) => Promise<Demo>,
  introduction: (demo: Demo) => string,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      database: { type: 'string', default: database },
      bin: { type: 'string', default: ownBin },
    },
  });

  // The files are for this user alone.
  process.umask(0o077);

  // Until everything runs there is nothing to end in order: Watchword is killed as the process exits.
  let end = (): void => process.exit(130);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end());

  try {
    const { port, ...files } = values;
    const demo = await start({ port: Number(port), ...files });
    // From npm and from the terminal a Ctrl-C may come twice; the second changes nothing.
    let stopping: Promise<void> | undefined;
    end = () => {
      stopping ??= demo.stop();
    };
    console.log(introduction(demo));
    const code = await demo.ended;
    if (stopping === undefined) {
      await demo.stop();
      throw new Error(`Watchword ended by itself, with ${code}; demo.log beside the database says more.`);
    }
    await stopping;
  } catch (error) {
    console.error(`demo: ${advice(error)}`);
    process.exitCode = 1;
  }
}

function advice(error: unknown): string {
  const isTaken =
    error instanceof Error &&
    (('code' in error && error.code === 'EADDRINUSE') || /another process uses the port/.test(error.message));
  if (isTaken)
    return `a port is taken: ${error.message}\nIt needs several; with -- --port 9000 it takes those from 9000 on.`;
  return error instanceof Error ? error.message : String(error);
}
