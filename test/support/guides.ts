import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { secretsOf } from '@watchword/protocol';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { engine } from '@watchword/server-testkit/servers/engine';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { everyEntry, read, readContents, root } from '../../scripts/docs/contents.ts';
import { blocks, commandBlocks, section } from './markdown.ts';
import { startWalk, type Walk } from './walk.ts';

/** What a guide takes for granted beside the records of the quick start. */
export interface Guide {
  /** Whether its commands take seconds: then only `npm run test:all` has them. */
  readonly isSlow?: boolean;
  /** Commands that its reader has run before. */
  readonly commandsBefore?: string;
  /** What the reader does before a block, for example in the browser. The block contains the key. */
  readonly meanwhile?: Readonly<Record<string, (walk: Walk, server: AccountServer) => Promise<void>>>;
}

const quickStart = section('Your own API and client', read('docs/quick-start.md'));

/** The pages that each register one application, whose settings they show. */
export const loginPages = globSync('docs/guides/log-users-in/*.md', { cwd: root })
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => !page.endsWith('/README.md'));

/** The guides that are walked here: each block of commands that has no mark. */
export const guides: Readonly<Record<string, Guide>> = {
  'docs/guides/access.md': {
    isSlow: true,
    meanwhile: {
      'identity-provider end': async (walk, server) => {
        await server.grantTo('root');
        walk.pasted.set('https://old-idp.example.org', 'password');
      },
    },
  },
  'docs/guides/accounts.md': {
    isSlow: true,
    meanwhile: { $TOKEN: asAdministrator, THE_TOKEN: asAdministrator },
  },
  'docs/guides/administration.md': {
    isSlow: true,
    meanwhile: { $TOKEN: asAdministrator },
  },
  'docs/guides/rights.md': {},
  'docs/guides/clients.md': {
    isSlow: true,
    meanwhile: {
      PASTE_THE_CODE: allowAccess,
      // Another guide rotates the secret, and so has used up the id of the first one.
      'remove-secret': async (walk, { service }) => {
        const [newest] = secretsOf((await service.store.clients.find('night-job'))?.secret);
        walk.pasted.set('night-job 1', `night-job ${newest?.id}`);
      },
    },
  },
  'docs/guides/keys-instead-of-secrets.md': { isSlow: true },
  'docs/guides/open-clients.md': { isSlow: true },
  'docs/guides/doctor.md': {
    isSlow: true,
    commandsBefore: `npx watchword client create --name "Web Shop" --resource-server orders-api --scope read --redirect-uri http://127.0.0.1:8081/callback`,
    meanwhile: {
      'secrets.env': async (walk) => {
        const lines = `CLIENT_SECRET=${walk.secrets.get('web-shop')}\nWATCHWORD_DOCTOR_PASSWORD="correct horse battery"\n`;
        await writeFile(walk.file('secrets.env'), `WATCHWORD_DOCTOR_${lines}`);
        walk.pasted.set('emma', 'root');
      },
    },
  },
  'docs/guides/errors.md': {
    meanwhile: {
      THE_TOKEN: asAdministrator,
      '5f0c6a31be-2k': async (walk, server) => {
        const { headers } = await server.get('/authorize?response_type=code&client_id=night-job');
        walk.pasted.set('5f0c6a31be-2k', headers.get('x-request-id') ?? '');
      },
    },
  },
  'docs/guides/incidents.md': {
    isSlow: true,
    commandsBefore: 'npx watchword keys rotate --now',
    meanwhile: {
      '--kind logins': async (walk, server) => {
        await server.addAccount('nora');
        walk.pasted.set('emma', 'nora');
      },
      'session list': async (walk, server) => {
        await server.grantTo('nora');
        const { loginSessions, grantList } = server.service.store;
        const [session] = await loginSessions.list({ limit: 1 });
        const { id, owner } = session ?? assert.fail('no session');
        const [grant] = await grantList.scan({ of: 'subject', subject: owner.subject, limit: 1 }, Date.now());
        walk.pasted.set('SESSION_ID', id);
        walk.pasted.set('SUBJECT', owner.subject);
        walk.pasted.set('GRANT_ID', grant?.id ?? assert.fail('no grant'));
      },
      'token.txt': async (walk, server) => writeFile(walk.file('token.txt'), await server.issueToken()),
      '6003b85e3463310e': pasteKey,
      'rm watchword.db.key': async (walk, { database }) => {
        if (engine === 'sqlite') walk.pasted.set('watchword.db.key', `${database}.key`);
        else await writeFile(walk.file('watchword.db.key'), '');
      },
    },
  },
  'docs/guides/jwt-access-tokens.md': {
    isSlow: true,
    commandsBefore: `npx watchword client update night-job --expire-duration 600
npx watchword client create --name "Orders Web" --resource-server orders-api --scope read --allow-client-credentials`,
    meanwhile: {
      'token.txt': async (walk, server) => {
        const secret = walk.secrets.get('orders-web');
        const form = { grant_type: 'client_credentials' };
        const token = async () =>
          (await server.post('/oauth2/token', form, `orders-web:${secret}`)).json.access_token;
        // The server knows the new format within a second.
        let jwt = await token();
        while (!jwt.startsWith('eyJ')) {
          await setTimeout(50);
          jwt = await token();
        }
        await writeFile(walk.file('token.txt'), jwt);
      },
    },
  },
  'docs/guides/logout.md': {
    isSlow: true,
    commandsBefore: `npx watchword client create --name "Web App" --resource-server orders-api --redirect-uri https://app.example.com/callback`,
  },
  'docs/guides/migration.md': {
    meanwhile: {
      'apis-dump.sql': async (walk) => {
        // The file of the guide has these names too.
        const dump = read('packages/cli/test/support/apis-dump.sql')
          .replaceAll('course-', 'lesson-')
          .replaceAll('University API', 'School API');
        await writeFile(walk.file('apis-dump.sql'), dump);
      },
      'records.json': async (walk) => {
        const [file = ''] = blocks('json', read('docs/guides/migration.md'));
        await writeFile(walk.file('records.json'), file);
      },
    },
  },
  'docs/guides/migration-keycloak.md': {
    meanwhile: {
      '--dry-run': async (walk) => {
        // Other guides have records of these names.
        const realm = read('packages/cli/test/support/keycloak-realm.json')
          .replaceAll(/orders-api|Orders API/g, 'stock-api')
          .replaceAll('night-job', 'stock-job');
        await writeFile(walk.file('acme-realm.json'), realm);
      },
    },
  },
  'docs/guides/openid-connect.md': {},
  ...Object.fromEntries(loginPages.map((page) => [page, {}])),
  'docs/guides/log-users-in/oauth2-proxy.md': {
    commandsBefore: 'npx watchword user create emma --if-missing',
  },
  'docs/guides/protect-an-mcp-server.md': {},
  'docs/guides/second-factors.md': {},
  'docs/guides/sign-up.md': { isSlow: true },
  'docs/guides/terraform.md': {},
  'docs/upgrading.md': {
    commandsBefore: `echo "database: ./upgraded.db" > watchword.yaml
npx watchword migrate --config watchword.yaml`,
  },
  'docs/guides/signing-keys.md': {
    isSlow: true,
    commandsBefore: `npx watchword keys rotate --now
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out old-server.pem 2> openssl.log
echo postgres://watchword@db.example.com/watchword > database-url`,
    meanwhile: {
      '6003b85e3463310e': pasteKey,
    },
  },
};

/** In the order of the documentation: a page finds what the pages before it have left. */
function inOrder(): (readonly [string, Guide])[] {
  const pages = everyEntry(readContents()).map(({ target }) => target);
  return Object.entries(guides).toSorted(([one], [other]) => pages.indexOf(one) - pages.indexOf(other));
}

/** Tests that walk through the guides that are slow, or through the others, beside one server. */
export function walkGuides(name: string, isSlow: boolean): void {
  describe(name, () => {
    let server: AccountServer;
    before(async () => {
      server = await startAccountServer();
      await using walk = await startWalk(guided(server));
      await walk.run(commandBlocks(quickStart)[0]?.commands ?? '');
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [page, guide] of inOrder()) {
      if ((guide.isSlow ?? false) !== isSlow) continue;
      it(`${page} has commands that work one after the other`, () => walkGuide(page, guide, server));
    }
  });
}

async function walkGuide(
  page: string,
  { commandsBefore = '', meanwhile = {} }: Guide,
  server: AccountServer,
): Promise<void> {
  const here = guided(server);
  const hosts = /https:\/\/(?:id|login)\.example(?:\.com|\.org)?(?=[/ ]|$)/g;
  await using walk = await startWalk(here, (text) => text.replaceAll(hosts, here.baseUrl));
  await walk.run(commandsBefore);
  for (const { commands } of commandBlocks(read(page)).filter(({ mark }) => mark === undefined)) {
    for (const [text, act] of Object.entries(meanwhile)) {
      if (commands.includes(text)) await act(walk, server);
    }
    await walk.run(commands);
  }
  if (loginPages.includes(page)) {
    const named = [...read(page).matchAll(clientIdOfSettings)].map(([, id]) => id);
    assert.deepEqual([...new Set(named)], walk.clientIds, 'the settings name another client');
  }
}

/** A clientId in the settings of a product. */
const clientIdOfSettings =
  /(?:client[-_]?id|OIDCClientID|--key|AUTH_WATCHWORD_ID)["']?\s*[:= ]\s*["']?([\w-]+)/gi;

/** The commands need the base URL that the server has. */
function guided({ database, service }: AccountServer): Parameters<typeof startWalk>[0] {
  return { database, baseUrl: service.baseUrl };
}

/** The reader copies the id of the key that signs. */
async function pasteKey(walk: Walk, server: AccountServer): Promise<void> {
  const { keys } = JSON.parse((await server.get('/oauth2/jwks')).text);
  walk.pasted.set('6003b85e3463310e', keys[0].kid);
}

/** The reader logs in to the administration pages, and copies an access token. */
async function asAdministrator(walk: Walk, server: AccountServer): Promise<void> {
  const { token } = await server.logIn('root');
  for (const word of ['$TOKEN', 'THE_TOKEN']) walk.pasted.set(word, token);
}

/** The reader opens the printed address in a browser, signs in, allows the access, and copies the code. */
async function allowAccess(walk: Walk): Promise<void> {
  const user = { username: 'root', password: 'correct horse battery' };
  const { parameters } = await followFlow(new UserAgent(), walk.printed().trim(), user);
  walk.pasted.set('PASTE_THE_CODE', parameters.get('code') ?? assert.fail(walk.printed()));
}
