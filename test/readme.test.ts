import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { curl } from '@watchword/server-testkit/processes/curl';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../packages/server/src/config/load.ts';
import { blocks, lines, wordCount, words } from './support/markdown.ts';

const readme = read('README.md');
const quickStart = read('docs/quick-start.md');

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}

/** Its records are those of `--demo small`, with which packages/server/test/runtime/full-disk.test.ts starts a process. */
let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server[Symbol.asyncDispose]());

describe('the README', () => {
  it('shows the two commands, and a pair of curl commands with the shown answers', async () => {
    const shell = blocks('sh', readme);
    assert.ok(shell.includes('npm ci && npm start\n') && shell.includes('npm ci && npm test\n'));
    const [getToken = '', getInfo = ''] = shell.filter((block) => block.startsWith('curl '));
    const [tokenAnswer = '', infoAnswer = ''] = blocks('json', readme).map((block) => JSON.parse(block));
    const here = (command: string) => command.replace('http://localhost:8080', server.baseUrl);
    const { access_token, ...token } = await curl(here(getToken));
    assert.deepEqual({ ...token, access_token: tokenAnswer.access_token }, tokenAnswer);
    assert.ok(access_token.startsWith('wwa_'));
    const info = await curl(here(getInfo).replace('PASTE_THE_TOKEN', access_token));
    // The expiry of the token, in the same unit.
    assert.equal(String(info.expires_in).length, String(infoAnswer.expires_in).length);
    assert.deepEqual({ ...info, expires_in: infoAnswer.expires_in }, infoAnswer);
  });

  it('has at most 1,200 words', () => {
    assert.ok(wordCount(readme) <= 1200, `README.md has ${wordCount(readme)} words`);
  });
});

describe('the quick start', () => {
  it('shows how a user grants access, and how the code is redeemed', async () => {
    const [redeem = ''] = blocks('sh', quickStart).filter((block) => block.startsWith('curl '));
    const [answer = ''] = blocks('json', quickStart);
    const [, address = ''] = /<(http:\/\/localhost:8080\/authorize[^>]+)>/.exec(quickStart) ?? [];
    const here = (text: string) => text.replace('http://localhost:8080', server.baseUrl);
    const { location, parameters } = await followFlow(new UserAgent(), here(address));
    assert.ok(location.startsWith('http://127.0.0.1:8081/callback?code='));
    const issued = await curl(here(redeem).replace('PASTE_THE_CODE', parameters.get('code') ?? ''));
    const { access_token, refresh_token, ...rest } = issued;
    assert.ok(access_token.startsWith('wwa_') && refresh_token.startsWith('wwr_'));
    assert.deepEqual(
      { access_token: 'x', refresh_token: 'x', ...rest },
      {
        ...JSON.parse(answer),
        access_token: 'x',
        refresh_token: 'x',
      },
    );
  });

  it('shows how to register an API and a client on a running server, and how to use them', async () => {
    const [commands = ''] = blocks('sh', quickStart).filter((block) => block.startsWith('npx watchword'));
    const [, requests = ''] = blocks('sh', quickStart).filter((block) => block.startsWith('curl '));
    const database = ['--database', server.database];
    const secrets = new Map<string, string>();
    for (const line of lines(commands)) {
      const { code, stdout, stderr } = await watchword([...words(line).slice(2), '--json', ...database]);
      assert.equal(code, 0, `${line}: ${stderr}`);
      const { key, clientId, secret } = JSON.parse(stdout);
      secrets.set(key ?? clientId, secret);
    }
    const run = (line: string, token: string) =>
      curl(
        line
          .replace('http://localhost:8080', server.baseUrl)
          .replace(/(\S+):ITS_SECRET/, (_, name) => `${name}:${secrets.get(name)}`)
          .replace('PASTE_THE_TOKEN', token),
      );
    const [getToken = '', getInfo = '', giveBack = '', ...others] = lines(requests);
    assert.deepEqual(others, []);
    let token: string | undefined;
    // The server reads the changes of the commands within a second.
    while (token === undefined) {
      token = (await run(getToken, '')).access_token;
      if (token === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await run(getInfo, token)).audience, 'Night job');
    assert.deepEqual(await run(giveBack, token), {});
    assert.equal((await run(getInfo, token)).error, 'not_found');
  });

  it('shows the address of the administration pages', async () => {
    const [, address = ''] = /<(http:\/\/localhost:8080\/console)>/.exec(quickStart) ?? [];
    const answer = await fetch(address.replace('http://localhost:8080', server.baseUrl), {
      headers: { accept: 'text/html' },
    });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<div id="root">/);
  });
});

describe('the page of the settings', () => {
  it('shows a configuration file that loads', async () => {
    const [yaml = ''] = blocks('yaml', read('docs/settings.md'));
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('watchword.yaml'), yaml);
    const { configuration } = await loadConfiguration({
      flags: {},
      environment: {},
      file: directory.file('watchword.yaml'),
    });
    assert.equal(configuration.baseUrl, 'https://id.example.com');
  });
});

describe('the guide to administration', () => {
  const guide = readFileSync(new URL('../docs/guides/administration.md', import.meta.url), 'utf8');

  it('shows how to register a client that works from another machine, and its clientId', async () => {
    const shell = blocks('sh', guide);
    const register = shell.find((block) => /client create.*authorization-server-admin/.test(block)) ?? '';
    const [names = '', ...commands] = lines(shell.find((block) => block.startsWith('export')) ?? '');
    const database = ['--database', server.database];
    const made = await watchword([...words(lines(register).join('')).slice(2), '--json', ...database]);
    assert.equal(made.code, 0, made.stderr);
    const { clientId, secret } = JSON.parse(made.stdout);
    const env = Object.fromEntries(
      [...names.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
        name,
        value?.replace('ITS_SECRET', secret),
      ]),
    );
    assert.equal(env.WATCHWORD_ADMIN_CLIENT_ID, clientId);
    const grant = { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) };
    const headers = { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
    // The server reads the new client within a second.
    while (!(await fetch(`${server.baseUrl}/oauth2/token`, { ...grant, headers })).ok) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    let printed = '';
    for (const line of commands) {
      const here = line.replace('https://id.example.com', server.baseUrl);
      const { code, stdout, stderr } = await watchword(words(here).slice(2), { env });
      assert.equal(code, 0, `${line}: ${stderr}`);
      printed = stdout;
    }
    assert.match(printed, /stock-api/);
  });

  it('shows how to permit the administration pages under a second host name', async () => {
    const [, command = ''] = /^npx watchword (bootstrap --base-url .*)$/m.exec(guide) ?? [];
    const database = ['--database', server.database];
    const { code, stdout, stderr } = await watchword([...words(command), '--json', ...database]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout).baseUrls, [server.service.baseUrl, words(command).at(-1)]);
  });
});
