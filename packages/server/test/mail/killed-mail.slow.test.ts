import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyRing, type Mail } from '@watchword/protocol';
import { type MailServer, startMailServer } from '@watchword/server-testkit/neighbours/mail-server';
import { storeMails } from '@watchword/server-testkit/neighbours/mails';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { startNodes, withClock } from '@watchword/server-testkit/servers/nodes';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { openStore } from '@watchword/store-sql';
import { rounds } from '@watchword/testkit';
import { systemClock, systemRandom } from '../../src/system.ts';

const kills = rounds(1, 20);
const count = rounds(12, 1000);
// Of one process.
const inFlight = 4;
// Seconds: longer than a claim of a process that was killed.
const later = 40;

const mails: readonly Mail[] = Array.from({ length: count }, (_, index) => ({
  kind: 'password_changed',
  to: `person-${index}@example.org`,
  language: 'en',
  values: { name: `person-${index}`, time: 0 },
}));

const recipientsOf = ({ received }: MailServer) => new Set(received.map(({ to }) => to));

async function untilAllCame(mailServer: MailServer): Promise<void> {
  while (recipientsOf(mailServer).size < count) await mailServer.until(mailServer.received.length + 1);
}

// In `npm test`, mail-deliveries.test.ts has the same of two nodes in one process.
describe('mails', () => {
  it(
    'are all sent although the server is killed, and come twice at most if they were under way, as the same mail',
    onlyOn('sqlite', 'nodes over PostgreSQL have a test of their own'),
    async () => {
      await using mailServer = await startMailServer();
      await using directory = await temporaryDirectory();
      const database = directory.file('x.db');
      await copyDemo(database, 'sqlite');
      {
        const store = await openStore({ database, clock: systemClock, isMachineClock: true });
        await KeyRing.open({ ...store, clock: systemClock, random: systemRandom });
        await storeMails(store, mails);
        await store.close();
      }
      const settings = { 'mail.url': mailServer.url, 'mail.from': 'no-reply@example.org' };
      const args = ['--port', '0', '--database', database, '--log-level', 'info'];
      args.push('--mail-url', settings['mail.url'], '--mail-from', settings['mail.from']);
      for (let round = 0; round < kills; round += 1) {
        await using server = await startProcess(args, withClock(round * later));
        await mailServer.until(Math.floor((count * (round + 1)) / (kills + 1)));
        assert.equal(await server.end('SIGKILL'), 'SIGKILL');
      }
      using clock = stoppedClock();
      clock.advance(kills * later);
      await using server = await startServer({ ...settings, database });
      await untilAllCame(mailServer);
      while ((await server.service.store.outgoingMail.waiting()).count > 0) await new Promise(setImmediate);
      const ids = new Set(mailServer.received.map(({ mail }) => mail.messageId));
      assert.equal(ids.size, count);
      assert.ok(mailServer.received.length - count <= kills * inFlight);
    },
  );

  it('are each sent by one of two nodes', async () => {
    await using mailServer = await startMailServer();
    const flags = { 'mail.url': mailServer.url, 'mail.from': 'no-reply@example.org' };
    await using nodes = await startNodes([0, 0], flags);
    await storeMails(nodes.service.store, mails);
    await untilAllCame(mailServer);
    assert.equal(mailServer.received.length, count);
  });
});
