import assert from 'node:assert/strict';
import { it } from 'node:test';
import { query } from '@watchword/testkit/postgresql';
import { startCluster } from '../cluster/cluster.ts';
import { type Fault, faults } from '../cluster/faults.ts';
import { reportOf } from '../cluster/report.ts';
import { runCheck } from '../cluster/run.ts';
import { type LocalWorker, localWorker } from './local-worker.ts';

const rounds = 3;

it('loses no answer when a worker of Citus, a node and connections fail under load', {
  timeout: 300_000,
}, async () => {
  await using cluster = await startCluster(false);
  const worker = await localWorker(await urlOfWorker(cluster.nodes.database)).catch((error: Error) => {
    console.log(
      `no worker is killed, because none runs on this machine or answers a superuser: ${error.message}`,
    );
  });
  const { node, commit } = faults;
  const each = Object.entries({ ...(worker && { worker: lossOf(worker) }), node, commit });
  const result = await runCheck(cluster, {
    seed: crypto.randomUUID(),
    faults: Array.from({ length: rounds }, () => each).flat(),
    answers: [100, 400],
    size: { services: 4, users: 4, administrators: 1 },
    report: console.log,
  });
  console.log(reportOf(result));
  assert.deepEqual(result.ledger.violations, []);
});

function lossOf(worker: LocalWorker): Fault {
  return async ({ work }) => {
    worker.kill();
    await work();
    await worker.start();
  };
}

async function urlOfWorker(database: string): Promise<string> {
  const [worker] = await query(
    database,
    'select nodename, nodeport from pg_dist_node where groupid > 0 order by 2 limit 1',
  );
  const url = new URL(database);
  url.host = `${worker?.nodename}:${worker?.nodeport}`;
  return url.href;
}
