import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { reportOf } from './report.ts';
import { runCheck } from './run.ts';

it('loses no answer, and accepts nothing that has ended, while nodes, PostgreSQL and connections fail, and signing keys change', async () => {
  await using cluster = await startCluster(true);
  // A node is killed and started again while the key rotates.
  const { kill, commit, rotate, compromise } = faults;
  const result = await runCheck(cluster, {
    seed: crypto.randomUUID(),
    faults: Object.entries({ kill, commit, rotate, compromise }),
    answers: [20, 40],
    size: { services: 1, users: 2, administrators: 1 },
  });
  assert.deepEqual(result.ledger.violations, [], reportOf(result));
});
