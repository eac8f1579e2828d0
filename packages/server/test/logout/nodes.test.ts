import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLogoutReceiver } from '@watchword/server-testkit/logout-receiver';
import { startNodes } from '@watchword/server-testkit/nodes';
import { decodeJwt } from 'jose';
import { logIn, registerLogoutClient } from '../support/logout-client.ts';

describe('logout over several nodes', () => {
  it('delivers one logout token for each session, whichever nodes served login and logout', async () => {
    await using receiver = await startLogoutReceiver();
    await using nodes = await startNodes([0, 0], {
      'outbound.privateHosts': receiver.host,
      'signing.algorithms': 'ES256',
    });
    const app = await registerLogoutClient(nodes, { backchannelLogoutUri: receiver.url });
    const sids: unknown[] = [];
    for (let session = 0; session < 4; session += 1) {
      const client = await logIn(nodes, app);
      await client.logout({ id_token_hint: client.idToken });
      sids.push(client.claims.sid);
    }
    const received = [];
    for (const _ of sids) received.push(decodeJwt(await receiver.next()).sid);
    assert.deepEqual(received.toSorted(), sids.toSorted());
  });
});
