import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { startServer } from '@watchword/server-testkit/servers/server';
import { logIn, postLogoutRedirectUri, registerLogoutClient, verified } from '../support/logout-client.ts';

describe('certification: back-channel logout', () => {
  it('oidcc-backchannel-logout-discovery-endpoint-verification: metadata says that it is supported, with sid', async () => {
    await using server = await startServer();
    const { json } = await server.get('/.well-known/openid-configuration');
    assert.equal(json.end_session_endpoint, `${server.service.baseUrl}/oauth2/logout`);
    assert.equal(json.backchannel_logout_supported, true);
    assert.equal(json.backchannel_logout_session_supported, true);
  });

  it('oidcc-backchannel-rp-initiated-logout: sends a logout token to the client, and the user back to it', async () => {
    await using receiver = await startLogoutReceiver();
    await using server = await startServer({ 'outbound.privateHosts': receiver.host });
    const app = await registerLogoutClient(server, {
      backchannelLogoutUri: receiver.url,
      backchannelLogoutSessionRequired: true,
    });
    const client = await logIn(server, app);
    const { location } = await client.logout({
      id_token_hint: client.idToken,
      post_logout_redirect_uri: postLogoutRedirectUri,
      state: 's-1',
    });
    assert.equal(location, `${postLogoutRedirectUri}?state=s-1`);

    const token = await receiver.next();
    const { payload, protectedHeader } = await verified(server, token, app.client.clientId, 'logout+jwt');
    assert.equal(protectedHeader.alg, 'RS256');
    assert.equal(payload.sub, client.claims.sub);
    assert.equal(payload.sid, client.claims.sid);
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
    assert.equal(typeof payload.jti, 'string');
    assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 120);
    assert.ok(!('nonce' in payload));
    assert.ok(!(await client.isLoggedIn()));
    assert.equal(receiver.tokens.length, 1);
  });
});
