// `npm run check:citus -- postgres://…`: checks a running Citus cluster, by hand. The URL is that of a database of the coordinator, for a
// superuser. Each check makes databases of its own on the cluster, and drops them. The worker that is killed must run on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { query } from '../../packages/testkit/src/postgresql.ts';

const checks = [
  'packages/store-sql/test/conformance/postgresql-conformance.test.ts',
  'packages/server/test/nodes/nodes.test.ts',
  'packages/store-sql/test/citus-plans.check.ts',
  'test/citus/worker.check.ts',
];

const [url] = process.argv.slice(2);
if (url === undefined)
  throw new Error('expected the URL of a database of the coordinator: npm run check:citus -- postgres://…');
const [versions] = await query(url, 'select citus_version() as citus, version() as postgresql');
const workers = await query(url, 'select nodename, nodeport from pg_dist_node where shouldhaveshards');
console.log(`${versions?.citus}\n${versions?.postgresql}\n${workers.length} workers`);

const run = spawn(process.execPath, ['--conditions=source', '--test', '--test-concurrency=1', ...checks], {
  stdio: 'inherit',
  env: { ...process.env, TEST_CITUS: url, TEST_DATABASE: 'postgresql' },
});
const [code] = await once(run, 'exit');
process.exitCode = code ?? 1;
