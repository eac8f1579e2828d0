import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { reportOf } from './report.ts';
import { runCheck } from './run.ts';

it('loses no answer, and accepts nothing that has ended, while nodes, PostgreSQL and connections fail', async () => {
  await using cluster = await startCluster(true);
  const { node, kill, commit } = faults;
  const result = await runCheck(cluster, {
    seed: crypto.randomUUID(),
    faults: Object.entries({ node, kill, commit }),
    answers: [30, 60],
    size: { services: 2, users: 2, administrators: 1 },
  });
  assert.deepEqual(result.ledger.violations, [], reportOf(result));
});
