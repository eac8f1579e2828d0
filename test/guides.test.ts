import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type AccountServer, startAccountServer } from '@watchword/server-testkit/account-server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { read, root } from '../scripts/docs/contents.ts';
import { blocks, commandBlocks, section } from './support/markdown.ts';
import { startWalk, type Walk } from './support/walk.ts';

/** What a guide takes for granted beside the records of the quick start. */
interface Guide {
  /** Commands that its reader has run before. */
  readonly commandsBefore?: string;
  /** What the reader does before a block, for example in the browser. The block contains the key. */
  readonly meanwhile?: Readonly<Record<string, (walk: Walk, server: AccountServer) => Promise<void>>>;
}

const quickStart = section('Your own API and client', read('README.md'));

/** The guides that are walked here: each block of commands that has no mark. */
const guides: Readonly<Record<string, Guide>> = {
  'docs/guides/accounts.md': {
    meanwhile: { $TOKEN: asAdministrator, THE_TOKEN: asAdministrator },
  },
  'docs/guides/administration.md': {
    meanwhile: {
      PASTE_THE_CODE: allowAccess,
      $TOKEN: asAdministrator,
      THE_TOKEN: asAdministrator,
      'identity-provider end': async (walk, server) => {
        await server.grantTo('root');
        walk.pasted.set('https://old-idp.example.org', 'password');
      },
    },
  },
  'docs/guides/doctor.md': {
    commandsBefore: `npx watchword client create --name "Web Shop" --resource-server orders-api --scope read --redirect-uri http://127.0.0.1:8081/callback`,
    meanwhile: {
      'secrets.env': async (walk) => {
        const lines = `CLIENT_SECRET=${walk.secrets.get('web-shop')}\nWATCHWORD_DOCTOR_PASSWORD="correct horse"\n`;
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
  'docs/guides/jwt-access-tokens.md': {
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
    commandsBefore: `npx watchword client create --name "Web App" --resource-server orders-api --redirect-uri https://app.example.com/callback`,
  },
  'docs/guides/migration.md': {
    meanwhile: {
      'records.json': async (walk) => {
        const [file = ''] = blocks('json', read('docs/guides/migration.md'));
        await writeFile(walk.file('records.json'), file);
      },
    },
  },
  'docs/guides/openid-connect.md': {},
  'docs/upgrading.md': {
    commandsBefore: `echo "database: ./upgraded.db" > watchword.yaml
npx watchword migrate --config watchword.yaml`,
  },
  'docs/guides/signing-keys.md': {
    commandsBefore: `npx watchword keys rotate --now
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out old-server.pem 2> openssl.log
echo postgres://watchword@db.example.com/watchword > database-url`,
    meanwhile: {
      '6003b85e3463310e': async (walk, server) => {
        const { keys } = JSON.parse((await server.get('/oauth2/jwks')).text);
        walk.pasted.set('6003b85e3463310e', keys[0].kid);
      },
    },
  },
};

describe('the guides', () => {
  let server: AccountServer;
  before(async () => {
    server = await startAccountServer();
    await using walk = await startWalk(guided(server));
    await walk.run(commandBlocks(quickStart)[0]?.commands ?? '');
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [page, { commandsBefore = '', meanwhile = {} }] of Object.entries(guides)) {
    it(`${page} has commands that work one after the other`, async () => {
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
    });
  }

  it('and all other documents have commands that a test runs, or a reason', () => {
    const pages = globSync(
      ['README.md', 'docs/**/*.md', '{packages,examples}/*/README.md', 'deploy/**/*.md'],
      {
        cwd: root,
        exclude: ['**/{node_modules,adr}/**'],
      },
    );
    assert.ok(pages.length > 20);
    const problems = pages.flatMap((page) =>
      commandBlocks(read(page)).flatMap(({ mark, commands }) => {
        const problem = problemOf(page, mark, commands);
        return problem === undefined ? [] : [`${page}: ${problem}: ${commands.split('\n')[0]}`];
      }),
    );
    assert.deepEqual(problems, []);
  });
});

/** The commands need the base URL that the server has. */
function guided({ database, service }: AccountServer): Parameters<typeof startWalk>[0] {
  return { database, baseUrl: service.baseUrl };
}

function problemOf(page: string, mark: string | undefined, commands: string): string | undefined {
  if (mark === undefined) {
    return page in guides
      ? undefined
      : 'expected an entry in test/guides.test.ts, or a comment before the block';
  }
  if (/^not run: \S/.test(mark)) return undefined;
  const [, file] = /^run by (\S+\.test\.ts)$/.exec(mark) ?? [];
  if (file === undefined) return `expected "run by FILE" or "not run: REASON", got "${mark}"`;
  if (!existsSync(`${root}${file}`)) return `${file} does not exist`;
  const names = [basename(page), basename(dirname(page)), commands.trim()];
  return names.some((name) => read(file).includes(name)) ? undefined : `${file} does not mention the page`;
}

/** The reader logs in to the administration pages, and copies an access token. */
async function asAdministrator(walk: Walk, server: AccountServer): Promise<void> {
  const { token } = await server.logIn('root');
  for (const word of ['$TOKEN', 'THE_TOKEN']) walk.pasted.set(word, token);
}

/** The reader opens the printed address in a browser, signs in, allows the access, and copies the code. */
async function allowAccess(walk: Walk): Promise<void> {
  const user = { username: 'root', password: 'correct horse' };
  const { parameters } = await followFlow(new UserAgent(), walk.printed().trim(), user);
  walk.pasted.set('PASTE_THE_CODE', parameters.get('code') ?? assert.fail(walk.printed()));
}
