import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { logIn, postLogoutRedirectUri, registerLogoutClient } from '../../support/logout-client.ts';
import { watchedDelivery } from '../../support/watched-delivery.ts';

const anyone = { username: 'emma', password: '{}' };

let server: AdministrationServer;
before(async () => {
  server = await startAdministration({ 'signing.algorithms': 'ES256' });
});
after(() => server[Symbol.asyncDispose]());

describe('a signed answer of the userinfo endpoint', () => {
  it('is no ID token: an API that got one with the access token of a user cannot log the user out', async () => {
    const app = await registerLogoutClient(server, { userinfoSignedResponseAlg: 'ES256' });
    const agent = new UserAgent();
    const client = await logIn(server, app, agent, {}, anyone);
    const { parameters } = await app.authorize({ scope: 'openid' }, {}, agent);
    const { json } = await app.redeem(parameters.get('code') ?? '');
    const headers = { authorization: `Bearer ${json.access_token}` };
    const userinfo = await (await fetch(`${server.baseUrl}/oauth2/userinfo`, { headers })).text();
    assert.match(userinfo, /^eyJ/);
    const page = await client.logout({
      id_token_hint: userinfo,
      post_logout_redirect_uri: postLogoutRedirectUri,
    });
    assert.deepEqual([page.status, page.location], [400, undefined]);
    assert.ok(await client.isLoggedIn());
    const { location = '' } = await app.open(
      { scope: 'openid', prompt: 'none', id_token_hint: userinfo },
      agent,
    );
    assert.equal(new URL(location).searchParams.get('error'), 'invalid_request');
  });
});

describe('the failure of a logout delivery', () => {
  it('does not tell a record owner to which addresses the server resolves a name of its own network', async () => {
    const olga = await server.person('olga');
    const api = await olga.create('/admin/resourceServer', {
      name: 'Api',
      contactName: 'O',
      scopes: ['read', 'write'],
    });
    const failures = [];
    for (const host of ['localhost', 'no-such-name.invalid']) {
      const backchannelLogoutUri = `https://${host}/backchannel_logout`;
      const app = await registerLogoutClient(server, { backchannelLogoutUri }, api.key);
      const client = await logIn(server, app, new UserAgent(), {}, anyone);
      const settled = watchedDelivery(server, 'failure');
      await client.logout({ id_token_hint: client.idToken });
      await settled;
      const path = `/admin/logoutDelivery?clientId=${app.client.clientId}`;
      const [{ failure }] = (await olga.get(path)).json;
      failures.push(failure);
    }
    assert.match(failures[0], /without a public address/);
    assert.equal(failures[1], failures[0]);
    assert.ok(!/127\.0\.0\.1|::1/.test(failures[0]));
  });
});
