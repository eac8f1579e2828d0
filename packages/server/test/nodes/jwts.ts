import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTokenVerifier } from '@watchword/resource-server';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import type { LogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { until, watchword } from '@watchword/server-testkit/processes/process';
import type { AccountUsers } from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { signingNode } from '@watchword/server-testkit/servers/signing-node';
import { rounds, slowTest } from '@watchword/testkit';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { logIn, registerLogoutClient } from '../support/logout-client.ts';
import { ask, granted, listOf, setFormat, withJwts } from '../support/revocation-feed.ts';
import { apiOptions, refused, refusesRevoked, startApi } from '../support/revoked-jwts.ts';
import { isAccepted, kidOf, kids, sign } from '../support/signatures.ts';

interface SetUp {
  readonly nodes: Nodes;
  readonly users: AccountUsers;
  /** At an address that the nodes can reach. */
  readonly receiver: LogoutReceiver;
  readonly emma: { readonly username: string; readonly password: string };
}

/** Nodes that sign with ES256, and have no key yet. */
export function nodeJwts(setUp: () => SetUp): void {
  describe('with JWTs', () => {
    let nodes: Nodes;
    let users: AccountUsers;
    let receiver: LogoutReceiver;
    let emma: SetUp['emma'];
    before(() => {
      ({ nodes, users, receiver, emma } = setUp());
    });
    after(async () => {
      await setFormat(nodes, 'opaque');
      // Until each node knows it (docs/adr/0073).
      await delay(1000);
    });

    describe('signing keys', () => {
      it('change at all within a second by a command, without a restart, and a compromised key is refused at all', async () => {
        const { database, service } = nodes;
        const second = () => delay(1000);
        const everywhere = () => Promise.all(nodes.nodes.map(kids));
        const made = await everywhere();
        await second();
        const [[first = ''] = []] = await everywhere();
        assert.deepEqual(await everywhere(), [[first], [first], [first]]);
        assert.ok(made.flat().includes(first));

        const signing = await signingNode(nodes, { 'signing.algorithms': 'ES256' });
        const text = await sign(signing);
        assert.equal(kidOf(text), first);
        const run = async (...args: string[]) => {
          const { code, stdout, stderr } = await watchword([
            'keys',
            ...args,
            '--database',
            database,
            '--json',
          ]);
          assert.equal(code, 0, stderr);
          return JSON.parse(stdout);
        };
        const [{ kid: next }] = (await run('rotate')).keys;
        await second();
        const both = [next, first];
        assert.deepEqual(await everywhere(), [both, both, both]);

        await service.store.refreshRegistry();
        assert.ok(await isAccepted(signing, text));
        await run('retire', first, '--compromised', '--yes');
        await second();
        assert.deepEqual(await everywhere(), [[next], [next], [next]]);
        await service.store.refreshRegistry();
        for (const keys of ['published', 'everSigned'] as const) {
          assert.ok(!(await isAccepted(signing, text, keys)));
        }
        assert.deepEqual(
          signing.keys.revoked().map(({ kid }) => kid),
          [first],
        );
        assert.equal(kidOf(await sign(signing)), next);
        for (const node of nodes.nodes)
          assert.match(node.log(), /"level":40,.*"a signing key is compromised: its tokens/);
      });

      slowTest('change at all within a second when an administrator changes them at one', async () => {
        const root = await users.logIn('root');
        const [before = ''] = await kids(nodes);
        const [{ kid }] = (await root.call('POST', '/admin/signingKey/rotation', { now: true })).json.keys;
        await root.call('POST', '/admin/signingKey/retirement', { kid: before, compromised: true });
        await delay(1000);
        assert.deepEqual(await Promise.all(nodes.nodes.map(kids)), [[kid], [kid], [kid]]);
      });
    });

    describe('JWT access tokens', () => {
      let root: Administering;
      let api: { credentials: string };
      let app: Application;
      let job: { credentials: string };
      before(async () => {
        root = await users.logIn('root');
        const registered = await registerResourceServer(nodes, 'Orders API', { accessTokenFormat: 'jwt' });
        api = registered;
        const { key } = registered.resourceServer;
        app = await registerApplication(nodes, { expireDuration: 600 }, key);
        job = await registerClient(nodes, { expireDuration: 600 }, key);
      });

      /** The status of token info at each node. */
      const everywhere = (access_token: string) =>
        Promise.all(
          nodes.nodes.map(
            async (node) => (await node.post('/v1/tokeninfo', { access_token }, api.credentials)).status,
          ),
        );
      const issue = async (): Promise<string> =>
        (await nodes.post('/oauth2/token', { grant_type: 'client_credentials' }, job.credentials)).json
          .access_token;
      const obtain = async () => {
        const code = (await app.authorize({}, emma)).parameters.get('code') ?? '';
        return (await app.redeem(code)).json;
      };

      slowTest('are valid at each, with the time of the database and a key that all know', async () => {
        const tokens = [await issue(), await issue(), await issue()];
        const times = tokens.map((token) => decodeJwt(token).iat ?? 0);
        assert.ok(Math.max(...times) - Math.min(...times) < 60);
        assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1);
        for (const token of tokens) assert.deepEqual(await everywhere(token), [200, 200, 200]);
      });

      it('are refused at each as soon as one was revoked at another', async () => {
        for (const _ of nodes.nodes) {
          const token = await issue();
          assert.equal((await nodes.post('/oauth2/revoke', { token }, job.credentials)).status, 200);
          assert.deepEqual(await everywhere(token), [404, 404, 404]);
        }
      });

      it('are refused at each as soon as the grant ended at another', async () => {
        const { access_token, refresh_token } = await obtain();
        assert.deepEqual(await everywhere(access_token), [200, 200, 200]);
        const { grant_id } = decodeJwt(access_token);
        assert.equal((await root.call('DELETE', `/admin/grant/${grant_id}`)).status, 204);
        assert.deepEqual(await everywhere(access_token), [404, 404, 404]);
        assert.equal((await app.refresh(refresh_token)).json.error, 'invalid_grant');
      });

      slowTest('are looked up at one node, and revoked by that id at another', async () => {
        const { access_token: token } = await obtain();
        const { json } = await root.call('POST', '/admin/accessToken/lookup', { token });
        assert.equal((await root.call('DELETE', `/admin/accessToken/${json.id}`)).status, 204);
        assert.deepEqual(await everywhere(token), [404, 404, 404]);
      });
    });

    describe('the revocation feed', () => {
      it('has the same cursors, and a revocation of one node ends the waits at the others', async () => {
        const { clientRecordId } = await withJwts(nodes);
        await until(async () => {
          const answers = await Promise.all(nodes.nodes.map((node) => ask(node)));
          return answers.every(({ status }) => status === 200);
        });
        const { cursor } = await listOf(nodes, await ask(nodes));
        for (const node of nodes.nodes) assert.equal((await ask(node, { since: cursor })).status, 304);
        const grant = await granted(nodes, clientRecordId);
        const waiting = nodes.nodes.map((node) => ask(node, { since: cursor, wait: 30 }));
        const { store } = nodes.service;
        await store.grants.revoke(grant, store.clock.now());
        for (const answer of await Promise.all(waiting)) {
          const list = await listOf(nodes, answer);
          assert.deepEqual(Object.keys(list.revoked.grants), [grant]);
          for (const node of nodes.nodes) assert.equal((await ask(node, { since: list.cursor })).status, 304);
        }
      });

      // tokens/revoked-jwts.test.ts holds each way at one server, and the test above the feed of all.
      slowTest(
        'lets an API that verifies JWTs itself refuse one that is revoked in any way, whichever node serves it',
        async () => {
          await using api = await startApi(nodes, 'ES256');
          await refusesRevoked(nodes, api);
        },
      );
    });

    describe('a client of two resource servers', () => {
      slowTest(
        'is revoked at the one, and the other, which verifies JWTs itself, refuses its tokens',
        async (t) => {
          const uri = 'https://stock.example/mcp';
          const homeUri = 'https://orders.example';
          const orders = await registerResourceServer(nodes, 'Orders of two', {
            ...{ accessTokenFormat: 'jwt', resources: [homeUri] },
          });
          const ofStock = { accessTokenFormat: 'jwt', resources: [uri], scopes: ['stock'] } as const;
          const stock = await registerResourceServer(nodes, 'Stock of two', ofStock, {
            ...{ identityProvider: 'password', name: 'emma' },
          });
          const { id, key } = stock.resourceServer;
          const app = await registerApplication(
            nodes,
            { expireDuration: 600, otherResourceServers: [{ resourceServerId: id, scopes: ['stock'] }] },
            orders.resourceServer.key,
          );
          const verifier = createTokenVerifier({
            ...{
              ...apiOptions(nodes),
              key,
              secret: stock.secret,
              resource: uri,
              issuer: nodes.service.baseUrl,
            },
          });
          const ordersVerifier = createTokenVerifier({
            ...{ ...apiOptions(nodes), key: orders.resourceServer.key, secret: orders.secret },
            ...{ resource: homeUri, issuer: nodes.service.baseUrl },
          });
          t.after(() => [verifier, ordersVerifier].map((each) => each.close()));
          const obtain = async (resource: string | string[] = uri) => {
            const { parameters } = await app.authorize(
              { resource, scope: [resource].flat().length > 1 ? 'read stock' : 'stock' },
              emma,
            );
            const { access_token } = (await app.redeem(parameters.get('code') ?? '')).json;
            return { access_token, grant_id: String(decodeJwt(access_token).grant_id) };
          };
          const [one, two, three] = [await obtain(), await obtain(), await obtain()];
          await until(async () => (await verifier.verify(one.access_token)).claims !== undefined);
          for (const { access_token } of [one, two, three]) {
            assert.deepEqual((await verifier.verify(access_token)).scopes, ['stock']);
          }
          // By the owner of the other API, by the client, and with all tokens of the client: at nodes that do not serve the feed.
          const root = await users.logIn('root');
          assert.equal((await root.call('DELETE', `/admin/grant/${one.grant_id}`)).status, 204);
          await refused({ verifier }, one.access_token);
          await nodes.post('/oauth2/revoke', { token: two.access_token }, app.credentials);
          await refused({ verifier }, two.access_token);
          assert.ok((await verifier.verify(three.access_token)).claims);
          // By its own owner, for himself alone.
          const both = await obtain([homeUri, uri]);
          assert.deepEqual((await verifier.verify(both.access_token)).scopes, ['stock']);
          await until(async () => (await ordersVerifier.verify(both.access_token)).claims !== undefined);
          const owner = await users.logIn('emma');
          const listed = await owner.call('GET', `/admin/grant/${both.grant_id}`);
          assert.deepEqual([listed.json.part, listed.json.scopes], [true, ['stock']]);
          assert.equal((await owner.call('DELETE', `/admin/grant/${both.grant_id}`)).status, 204);
          await refused({ verifier }, both.access_token);
          assert.deepEqual((await ordersVerifier.verify(both.access_token)).scopes, ['read']);
          // The same of a token with which a client acts for itself.
          const job = await registerClient(
            nodes,
            { expireDuration: 600, otherResourceServers: [{ resourceServerId: id, scopes: ['stock'] }] },
            orders.resourceServer.key,
          );
          const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read stock' });
          for (const resource of [homeUri, uri]) form.append('resource', resource);
          const own = (await nodes.post('/oauth2/token', String(form), job.credentials)).json.access_token;
          assert.deepEqual((await verifier.verify(own)).scopes, ['stock']);
          const { json: shown } = await owner.call('POST', '/admin/accessToken/lookup', { token: own });
          assert.deepEqual([shown.part, shown.scopes], [true, ['stock']]);
          assert.equal((await owner.call('DELETE', `/admin/accessToken/${shown.id}`)).status, 204);
          await refused({ verifier }, own);
          assert.deepEqual((await ordersVerifier.verify(own)).scopes, ['read']);
          for (const node of nodes.nodes) {
            const info = async (credentials: string) =>
              (await node.post('/v1/tokeninfo', { access_token: own }, credentials)).status;
            assert.deepEqual([await info(stock.credentials), await info(orders.credentials)], [404, 200]);
          }
          const { store } = nodes.service;
          // The client can no longer use it, and is heard of all the same.
          await store.clients.update(app.client.id, { otherResourceServers: [] });
          await store.clients.revokeTokens(app.client.id, store.clock.now());
          await refused({ verifier }, three.access_token);
          const { revoked } = await listOf(nodes, await ask(nodes, { credentials: stock.credentials }), key);
          assert.ok(app.client.clientId in revoked.clients);
        },
      );
    });

    describe('back-channel logout', () => {
      it('delivers one logout token for each session, whichever nodes served login and logout', async () => {
        const app = await registerLogoutClient(nodes, {
          backchannelLogoutUri: receiver.url,
          expireDuration: 600,
        });
        const sessions = rounds(2, 4);
        const sids: unknown[] = [];
        for (let session = 0; session < sessions; session += 1) {
          const client = await logIn(nodes, app, undefined, {}, emma);
          await client.logout({ id_token_hint: client.idToken });
          sids.push(client.claims.sid);
        }
        const received = [];
        for (const _ of sids) received.push(decodeJwt(await receiver.next()).sid);
        assert.deepEqual(received.toSorted(), sids.toSorted());
      });
    });
  });
}
