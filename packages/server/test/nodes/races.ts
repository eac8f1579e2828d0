import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { type Answer, demoResourceServer } from '@watchword/server-testkit/servers/server';
import { rounds, slowTest } from '@watchword/testkit';
import { ClientKey } from '@watchword/testkit/client-key';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const parallel = 50;
const races = rounds(1, 200);

interface Race {
  readonly app: Application;
  code(): Promise<string>;
  refreshToken(): Promise<string>;
  /** Sends the same token request so often at once, to each node in turn. */
  request(form: Record<string, string>): Promise<Answer[]>;
}

/** Races of one code or one refresh token over all nodes. @param user who has a local account */
export function nodeRaces(
  nodes: () => Nodes,
  user: { readonly username: string; readonly password: string },
): void {
  const race = async (registration: Parameters<typeof registerApplication>[1] = {}): Promise<Race> => {
    const app = await registerApplication(nodes(), registration);
    const agent = new UserAgent();
    const code = async () => (await app.authorize({}, user, agent)).parameters.get('code') ?? '';
    const every = nodes().nodes;
    const identity = app.credentials === undefined ? { client_id: app.client.clientId } : {};
    return {
      app,
      code,
      refreshToken: async () => (await app.redeem(await code())).json.refresh_token,
      request: (form) =>
        Promise.all(
          Array.from({ length: parallel }, async (_, index) => {
            const node = every[index % every.length] ?? assert.fail('there are nodes');
            return node.post('/oauth2/token', { ...identity, ...form }, app.credentials);
          }),
        ),
    };
  };
  /** The answers with tokens. Every other answer is `invalid_grant`. */
  const issued = (answers: readonly Answer[]) => {
    for (const { status, text } of answers) assert.match(`${status} ${text}`, /^200 |^400 .*invalid_grant/);
    return answers.filter(({ status }) => status === 200).map(({ json }) => json);
  };
  const infoStatuses = (access_token: string) =>
    Promise.all(
      nodes().nodes.map(async (node) => {
        const { status } = await node.post('/v1/tokeninfo', { access_token }, demoResourceServer);
        return status;
      }),
    );

  it('gives one token for an assertion that every node gets twice at once, and none for it later', async () => {
    const key = await ClientKey.create();
    const { client } = await registerApplication(nodes(), {
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      allowedClientCredentials: true,
    });
    const { nodes: every, service } = nodes();
    const assertion = await key.form({ clientId: client.clientId, issuer: service.baseUrl });
    const form = { grant_type: 'client_credentials', ...assertion };
    const sent = [...every, ...every].map(async (node) => (await node.post('/oauth2/token', form)).status);
    assert.deepEqual((await Promise.all(sent)).toSorted(), [200, 401, 401, 401, 401, 401]);
    for (const node of every) assertError(await node.post('/oauth2/token', form), 401, 'invalid_client');
    const [first] = every;
    const next = await key.form({ clientId: client.clientId, issuer: service.baseUrl });
    assert.equal((await first?.post('/oauth2/token', { ...form, ...next }))?.status, 200);
  });

  it('CD-2: lets one of fifty redemptions win, and revokes its tokens because of the others', async () => {
    const { code, request, app } = await race();
    for (let round = 0; round < races; round += 1) {
      const form = { grant_type: 'authorization_code', code: await code(), redirect_uri: redirectUri };
      const tokens = issued(await request(form));
      assert.equal(tokens.length, 1);
      assert.deepEqual(await infoStatuses(tokens[0].access_token), [404, 404, 404]);
      assert.equal((await app.refresh(tokens[0].refresh_token)).status, 400);
    }
  });

  it('RT-2: lets one of fifty refreshes without grace win, and revokes the family because of the others', async () => {
    const { refreshToken, request, app } = await race({ confidential: false });
    for (let round = 0; round < races; round += 1) {
      const tokens = issued(
        await request({ grant_type: 'refresh_token', refresh_token: await refreshToken() }),
      );
      assert.equal(tokens.length, 1);
      assert.deepEqual(await infoStatuses(tokens[0].access_token), [404, 404, 404]);
      assert.equal((await app.refresh(tokens[0].refresh_token)).status, 400);
    }
  });

  slowTest(
    'RT-3: gives fifty refreshes within the grace one new pair, in three answers at most',
    async () => {
      const { refreshToken, request, app } = await race();
      for (let round = 0; round < races; round += 1) {
        const tokens = issued(
          await request({ grant_type: 'refresh_token', refresh_token: await refreshToken() }),
        );
        assert.ok(tokens.length >= 1 && tokens.length <= 3, `${tokens.length} answers`);
        for (const pair of tokens) assert.deepEqual(pair, tokens[0]);
        assert.deepEqual(await infoStatuses(tokens[0].access_token), [200, 200, 200]);
        assert.equal((await app.refresh(tokens[0].refresh_token)).status, 200);
      }
    },
  );
}
