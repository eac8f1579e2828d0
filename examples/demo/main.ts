import { parseArgs } from 'node:util';
import { type Demo, startDemo } from './start-demo.ts';
import { ownBin } from './watchword.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    database: { type: 'string', default: './data/demo.db' },
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
  const demo = await startDemo({ port: Number(port), ...files });
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

function introduction({ appUrl, watchwordUrl, apiUrl, jobEnvironment }: Demo): string {
  return `
Watchword, an API and an app run on this machine. Open the app, and sign in under any name:

  ${appUrl}

There you add notes, renew the token, sign out. What you allowed, and how you take it back:

  ${watchwordUrl}/account

The API has the notes and refuses requests without a token, at ${apiUrl}/notes
In a second terminal, the job of a server reads its statistics with a token of its own:

  npx node --env-file=${jobEnvironment} examples/client-app/src/statistics-job.ts

Ctrl-C ends everything.
`;
}

function advice(error: unknown): string {
  const isTaken =
    error instanceof Error &&
    (('code' in error && error.code === 'EADDRINUSE') || /another process uses the port/.test(error.message));
  if (isTaken)
    return `a port is taken: ${error.message}\nIt needs three; npm run demo -- --port 9000 takes 9000 to 9002.`;
  return error instanceof Error ? error.message : String(error);
}
