import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { reportOf } from './report.ts';
import { runCheck } from './run.ts';

it('lets clients verify every ID token, and accepts no token of a compromised key, while keys change and nodes restart under load', async () => {
  await using cluster = await startCluster(false);
  const { rotate, retire, compromise } = faults;
  const result = await runCheck(cluster, {
    seed: crypto.randomUUID(),
    faults: Object.entries({ rotate, compromise, retire }),
    answers: [30, 60],
    size: { services: 1, users: 2, administrators: 0 },
  });
  assert.deepEqual(result.ledger.violations, [], reportOf(result));
});
