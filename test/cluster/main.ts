// `npm run check:cluster [-- --seconds 60] [-- --seed text] [-- --faults node,commit]
// [-- --logins 24]`: three server processes on one PostgreSQL under
// load, while nodes, PostgreSQL and connections fail. It prints the figures, and fails if an answer broke a rule.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { choices } from './choices.ts';
import { startCluster } from './cluster.ts';
import { type FaultName, faults } from './faults.ts';
import { reportOf } from './report.ts';
import { runCheck } from './run.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: crypto.randomUUID().slice(0, 8) },
    faults: { type: 'string', default: Object.keys(faults).join() },
    logins: { type: 'string', default: '0' },
  },
});
const { seed } = values;
const seconds = Number(values.seconds);
if (!(seconds >= 1 && seconds <= 3600)) {
  throw new Error(`expected --seconds from 1 to 3600, got ${values.seconds}`);
}
const logins = Number(values.logins);
if (!(Number.isInteger(logins) && logins >= 0 && logins <= 200)) {
  throw new Error(`expected --logins from 0 to 200, got ${values.logins}`);
}
if (!/^[\w-]+$/.test(seed)) throw new Error(`expected --seed of letters, digits and hyphens, got ${seed}`);
const names = values.faults.split(',').map(faultNamed);

const artifacts = fileURLToPath(new URL('../../artifacts/cluster', import.meta.url));
await mkdir(artifacts, { recursive: true });
const file = `${artifacts}/ledger-${seed}.jsonl`;
console.log(`seed ${seed}, ${seconds} s, ledger in ${file}`);

await using cluster = await startCluster(true);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // No server survives the check.
  process.once(signal, async () => {
    await cluster[Symbol.asyncDispose]();
    process.exit(1);
  });
}
const result = await runCheck(cluster, {
  seed,
  faults: faultsUntil(performance.now() + seconds * 1000),
  answers: [50, 500],
  size:
    logins === 0
      ? { services: 4, users: 6, administrators: 2 }
      : { services: 1, users: 1, administrators: 0, logins },
  recoveryLimit: 10_000,
  file,
  report: console.log,
});
console.log(reportOf(result));
if (result.ledger.violations.length > 0) process.exitCode = 1;

/** Faults in the order of the seed. */
function* faultsUntil(end: number) {
  const chosen = choices(`${seed}/faults`);
  while (performance.now() < end) {
    const name = chosen.oneOf(names);
    yield [name, faults[name]] as const;
  }
}

function faultNamed(name: string): FaultName {
  if (Object.hasOwn(faults, name)) return name as FaultName;
  throw new Error(`expected --faults among ${Object.keys(faults).join()}, got ${name}`);
}
