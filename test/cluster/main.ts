// `npm run check:cluster [-- --seconds 60] [-- --seed text] [-- --faults node,commit]`: three server processes on one PostgreSQL under
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
  },
});
const { seed } = values;
const seconds = Number(values.seconds);
if (!(seconds > 0 && seconds <= 3600))
  throw new Error(`expected --seconds from 1 to 3600, got ${values.seconds}`);
const names = values.faults.split(',').filter((name) => name !== '');
for (const name of names) {
  if (!(name in faults))
    throw new Error(`expected --faults among ${Object.keys(faults).join()}, got ${name}`);
}

const artifacts = fileURLToPath(new URL('../../artifacts/cluster', import.meta.url));
await mkdir(artifacts, { recursive: true });
const file = `${artifacts}/ledger-${seed}.jsonl`;
console.log(`seed ${seed}, ${seconds} s, ledger in ${file}`);

await using cluster = await startCluster(true);
const result = await runCheck(cluster, {
  seed,
  faults: faultsUntil(performance.now() + seconds * 1000),
  answers: [50, 500],
  size: { services: 4, users: 6, administrators: 2 },
  file,
  report: console.log,
});
console.log(reportOf(result));
if (result.ledger.violations.length > 0) process.exitCode = 1;

/** Faults in the order of the seed. */
function* faultsUntil(end: number) {
  const chosen = choices(`${seed}/faults`);
  while (performance.now() < end) {
    const name = chosen.oneOf(names) as FaultName;
    yield [name, faults[name]] as const;
  }
}
