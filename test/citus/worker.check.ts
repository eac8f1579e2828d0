import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { registerApplication } from '@watchword/server-testkit/application';
import { type Nodes, startNodes } from '@watchword/server-testkit/nodes';
import { demoClient, demoResourceServer } from '@watchword/server-testkit/server';
import { query } from '@watchword/testkit/postgresql';
import { Ledger } from './ledger.ts';
import { localWorker } from './local-worker.ts';

const issuers = 4;
const families = 4;
const kills = 3;
const down = 2000;
const up = 5000;
const pause = 100;

it('loses no answered token when a worker of Citus is killed under load', { timeout: 300_000 }, async () => {
  await using nodes = await startNodes([0, 0]);
  const ledger = new Ledger();
  const app = await registerApplication(nodes);
  const refreshTokens: string[] = [];
  for (let family = 0; family < families; family += 1) {
    refreshTokens.push((await app.obtainTokens()).refresh_token);
  }
  const worker = await localWorker(await urlOfWorker(nodes.database));
  const stop = new AbortController();
  const start = performance.now();
  const load = [
    ...Array.from({ length: issuers }, () => issue(nodes, ledger, stop.signal)),
    ...refreshTokens.map(async (_, family) => {
      while (!stop.signal.aborted) {
        const answer = await app.refresh(refreshTokens[family] as string);
        if (ledger.note('refresh', answer)) {
          refreshTokens[family] = answer.json.refresh_token;
          ledger.live.add(answer.json.access_token);
        } else await delay(pause);
      }
    }),
  ];
  await delay(up);
  for (let kill = 0; kill < kills; kill += 1) {
    worker.kill();
    await delay(down);
    await worker.start();
    await delay(up);
  }
  stop.abort();
  await Promise.all(load);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${Math.round(seconds)} s, ${kills} kills, ${ledger.live.size} tokens answered and not revoked`,
  );
  for (const [answer, count] of [...ledger.answers].sort()) console.log(`  ${answer}: ${count}`);
  assert.deepEqual(ledger.faults, []);
  await compare(nodes, ledger);
  for (const token of refreshTokens) assert.equal((await app.refresh(token)).status, 200);
});

/** Issues tokens, looks at one of those before, and revokes some. */
async function issue(nodes: Nodes, ledger: Ledger, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const answer = await nodes.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    if (!ledger.note('issue', answer)) {
      await delay(pause);
      continue;
    }
    const token: string = answer.json.access_token;
    if (turn % 8 === 0) {
      const revocation = await nodes.post('/oauth2/revoke', { token }, demoClient);
      (ledger.note('revoke', revocation) ? ledger.revoked : ledger.uncertain).add(token);
    } else ledger.live.add(token);
    const access_token = ledger.some();
    if (access_token === undefined) continue;
    ledger.note('info', await nodes.post('/v1/tokeninfo', { access_token }, demoResourceServer));
  }
}

/** Every token that was answered is valid, and every one whose revocation was answered is not. */
async function compare(nodes: Nodes, { live, revoked }: Ledger): Promise<void> {
  for (const [tokens, expected] of [
    [live, 200],
    [revoked, 404],
  ] as const) {
    let wrong = 0;
    for (const access_token of tokens) {
      const { status } = await nodes.post('/v1/tokeninfo', { access_token }, demoResourceServer);
      if (status !== expected) wrong += 1;
    }
    assert.equal(wrong, 0, `of ${tokens.size} tokens that must answer ${expected}`);
  }
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
