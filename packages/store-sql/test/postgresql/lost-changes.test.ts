import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError } from '@watchword/protocol';
import { addResourceServer, FakeClock } from '@watchword/testkit';
import { startPostgresql, startStandby } from '@watchword/testkit/postgresql';
import { tcpProxy } from '@watchword/testkit/tcp-proxy';
import { openServerStore, type ServerStore } from '../../src/index.ts';

const clock = new FakeClock();

/** Reads the changes, after the node has found the server again. */
async function refreshed({ refreshRegistry }: ServerStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await refreshRegistry();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || attempt === 20) throw error;
    }
  }
}

describe('a failover that loses a change of a record', () => {
  it('leaves no node with the lost change, although another one has its revision', async () => {
    await using primary = await startPostgresql();
    await using proxy = await tcpProxy({ port: primary.port });
    await using standby = await startStandby(primary, { primaryPort: proxy.port });
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
    const database = primary.url().replace(`127.0.0.1:${primary.port}`, hosts);
    const node = await openServerStore({ database, clock });
    await standby.replayed(primary);
    proxy.refuse();
    const lost = await addResourceServer(node, 'lost');
    await node.refreshRegistry();
    assert.deepEqual(node.registry.resourceServerById(lost.id), lost);
    await primary.kill();
    await standby.promote();
    const other = await openServerStore({ database, clock });
    const kept = await addResourceServer(other, 'kept');
    assert.equal(kept.id, lost.id);
    await refreshed(node);
    assert.deepEqual(node.registry.resourceServerById(kept.id), kept);
    await other.close();
    await node.close();
  });
});
