import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { parseExposition, seriesValue } from '@watchword/server-testkit/neighbours/exposition';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';
import { logIn, registerLogoutClient } from '../support/logout-client.ts';
import { watchedDelivery } from '../support/watched-delivery.ts';

const settings = { 'signing.algorithms': 'ES256' };
const anyone = { username: 'emma', password: '{}' };

describe('the delivery of a logout token', () => {
  it('is repeated for a receiver that is down, listed with the reason, and leaves the list when it is accepted', async () => {
    await using receiver = await startLogoutReceiver((response, count) => {
      response.statusCode = count === 1 ? 503 : 200;
      response.end();
    });
    await using server = await startAdministration({ ...settings, 'outbound.privateHosts': receiver.host });
    const root = await server.administrator();
    const app = await registerLogoutClient(server, { backchannelLogoutUri: receiver.url });
    const client = await logIn(server, app, new UserAgent(), {}, anyone);
    const settled = watchedDelivery(server, 'failure');
    await client.logout({ id_token_hint: client.idToken });
    const first = decodeJwt(await receiver.next());
    const { id } = await settled;
    const [listed, ...others] = (await root.get('/admin/logoutDelivery')).json;
    assert.deepEqual(others, []);
    const { nextAttempt, endedAt, ...shown } = listed;
    assert.deepEqual(shown, {
      id,
      clientId: app.client.clientId,
      uri: receiver.url,
      sid: client.claims.sid,
      attempts: 1,
      failure: 'the client answered 503; expected 200 or 204',
    });
    assert.ok(nextAttempt - endedAt >= 10_000);
    const printed = await watchword(['logout-delivery', 'list', '--database', server.database]);
    assert.match(printed.stdout, new RegExp(`${id}.*${new Date(nextAttempt).toISOString()}.*answered 503`));

    const done = watchedDelivery(server, 'removal');
    assert.equal((await root.call('POST', `/admin/logoutDelivery/${id}/retry`)).status, 204);
    const second = decodeJwt(await receiver.next());
    assert.equal(second.sid, first.sid);
    assert.notEqual(second.jti, first.jti);
    await done;
    assert.deepEqual((await root.get('/admin/logoutDelivery')).json, []);
    assert.equal((await root.call('POST', `/admin/logoutDelivery/${id}/retry`)).status, 404);
    const metrics = parseExposition((await server.get('/metrics')).text);
    const sent = (outcome: string) => seriesValue(metrics, 'watchword_logout_tokens_total', { outcome });
    assert.deepEqual([sent('retried'), sent('delivered'), sent('failed')], [1, 1, 0]);
  });

  it('ends when the client rejects the token, which the log and the list of failures show, and is made again by the command line', async () => {
    await using receiver = await startLogoutReceiver((response, count) => {
      response.statusCode = count === 1 ? 400 : 200;
      response.end(count === 1 ? '{"error":"invalid_request"}' : '');
    });
    await using server = await startAdministration({ ...settings, 'outbound.privateHosts': receiver.host });
    const root = await server.administrator();
    const app = await registerLogoutClient(server, { backchannelLogoutUri: receiver.url });
    const client = await logIn(server, app, new UserAgent(), {}, anyone);
    const failed = watchedDelivery(server, 'failure');
    await client.logout({ id_token_hint: client.idToken });
    const { id } = await failed;
    const token = await receiver.next();
    const list = async (query: string) => (await root.get(`/admin/logoutDelivery?${query}`)).json;
    const [rejected] = await list('failed=true');
    assert.equal(rejected.nextAttempt, null);
    assert.match(rejected.failure, /rejects the logout token/);
    assert.deepEqual(await list('failed=false'), []);
    assert.deepEqual(await list('clientId=demo-app'), []);
    assert.ok(!server.log().includes(token));
    const command = (...args: string[]) =>
      watchword(['logout-delivery', ...args, '--database', server.database, '--json']);
    const listed = async () => JSON.parse((await command('list', '--failed')).stdout);
    assert.deepEqual(
      (await listed()).map((each: { id: string }) => each.id),
      [id],
    );
    const done = watchedDelivery(server, 'removal');
    const { code, stdout, stderr } = await command('retry', id);
    assert.deepEqual([code, stderr, JSON.parse(stdout).id], [0, '', id]);
    assert.equal(decodeJwt(await receiver.next()).sid, decodeJwt(token).sid);
    await done;
    assert.deepEqual(await listed(), []);
    const again = await command('retry', id);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /not found|no such|There is no/i);
    const unknown = await command('retry', 'not-an-id');
    assert.match(unknown.stderr, /as "watchword logout-delivery list" prints it/);
  });

  it('is listed and repeated for the record owner of the client, and for no other user', async () => {
    await using receiver = await startLogoutReceiver((response) => {
      response.statusCode = 500;
      response.end();
    });
    await using server = await startAdministration({ ...settings, 'outbound.privateHosts': receiver.host });
    const [olga, other] = [await server.person('olga'), await server.person('other')];
    const api = await olga.create('/admin/resourceServer', {
      name: 'Api',
      contactName: 'O',
      scopes: ['read', 'write'],
    });
    const app = await registerLogoutClient(server, { backchannelLogoutUri: receiver.url }, api.key);
    const client = await logIn(server, app, new UserAgent(), {}, anyone);
    const settled = watchedDelivery(server, 'failure');
    await client.logout({ id_token_hint: client.idToken });
    const { id } = await settled;
    const ids = async (caller: typeof olga) =>
      (await caller.get('/admin/logoutDelivery')).json.map((each: { id: string }) => each.id);
    assert.deepEqual(await ids(olga), [id]);
    assert.deepEqual(await ids(other), []);
    assert.equal((await other.call('POST', `/admin/logoutDelivery/${id}/retry`)).status, 404);
    assert.equal((await olga.call('POST', `/admin/logoutDelivery/${id}/retry`)).status, 204);
  });
});
