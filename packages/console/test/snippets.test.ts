import './support/english.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Client } from '@watchword/admin-client';
import { clientRecord } from '@watchword/administration';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { clientSnippets, serverAddresses } from '../src/snippets/client-snippets.ts';
import { resourceServerSnippets, tokenSnippets } from '../src/snippets/resource-server-snippets.ts';
import { scriptText, shellWord } from '../src/snippets/snippet.ts';

const shell = (script: string, env: Record<string, string> = {}) =>
  promisify(execFile)('sh', ['-c', script], { env: { PATH: process.env.PATH ?? '', ...env } });

const hostile = [
  "it's",
  '$(id)',
  '`id`',
  'a;b',
  'a b',
  '\\',
  '"',
  '!x',
  "';alert(1);'",
  '$HOME',
  'a&b',
  '(x)',
];

/** What each of the scripts prints, by one shell. */
const outputs = async (scripts: readonly string[]) =>
  (await shell(scripts.map((script) => `(${script}\n)\nprintf '\\0'`).join('\n'))).stdout
    .split('\0')
    .slice(0, -1);

/** Lines that are shorter than in the guide. */
const ownLines: Readonly<Record<string, readonly string[]>> = {
  nginx: ['# nginx.conf'],
  SPA: [
    '// app.js: npm install oidc-client-ts',
    "if (new URLSearchParams(location.search).has('code')) {",
    '  await users.signinRedirectCallback();',
    "  history.replaceState({}, '', home);",
    'const user = await users.getUser();',
    'if (user === null) await users.signinRedirect();',
  ],
};

describe('snippets', () => {
  it('never turn registered text into a command or a script', async () => {
    const printed = await outputs(hostile.map((text) => `printf %s ${shellWord(text)}`));
    assert.deepEqual(printed, hostile);
    for (const text of hostile) assert.equal(new Function(`return ${scriptText(text)}`)(), text);
    const redirectUri = "https://a.example/$(touch$IFS&x)';process.exit()//";
    const scopes = ["a'b", '$(id)'];
    const client = {
      clientId: 'x',
      scopes,
      redirectUris: [redirectUri],
      postLogoutRedirectUris: [],
      openidScopes: [],
      confidential: true,
      tokenEndpointAuthMethod: '',
      allowedImplicitGrant: false,
    } as unknown as Client;
    for (const { text, others = [] } of clientSnippets('http://localhost', client)) {
      const all = [text, ...others].join('\n');
      assert.ok(!all.includes(`=${redirectUri}`) && !all.includes(`'${redirectUri}`), all);
    }
    const [, { text: sdk } = { text: '' }] = resourceServerSnippets('http://localhost', {
      key: 'key',
      scopes: ["a'b"],
      resources: ['https://api.example/mcp?a=1&b=2', 'https://b.example'],
    });
    assert.ok(sdk.includes("{ scope: 'a\\'b' }"), sdk);
    assert.ok(
      sdk.includes("\nexport WATCHWORD_RESOURCE='https://api.example/mcp?a=1&b=2 https://b.example'\n"),
      sdk,
    );
  });

  it('have the names of imported records as one word of the shell, and as one text of a script', async () => {
    const curl = 'curl() { printf "%s\\n" "$2" "$@"; }; npm() { :; }';
    for (const name of ['a$(touch$IFS/tmp/x)', "it's;id", '`id`&', '-x', '"$SECRET"', '\\']) {
      const client = {
        clientId: name,
        scopes: [],
        openidScopes: [],
        redirectUris: ['https://a.example/cb'],
        postLogoutRedirectUris: [],
        allowedClientCredentials: true,
        confidential: true,
        tokenEndpointAuthMethod: '',
        allowedImplicitGrant: false,
      } as unknown as Client;
      const all = [
        ...clientSnippets('https://id.example', client, 's'),
        ...resourceServerSnippets('https://id.example', { key: name, scopes: [] }, 's'),
      ];
      // Commands that install something are not run.
      const run = all.filter(
        ({ label, text }) => text.includes('curl') || /^(?:openid-client|@watchword)/.test(label),
      );
      const ofShell = run.map(({ text }) => text.split('\n// ')[0]?.replace(/^https:.*$/m, '') ?? '');
      const printed = await outputs(
        ofShell.map((script) => `${curl}\n${script}\nprintf %s "$WATCHWORD_TOKENINFO_KEY"`),
      );
      assert.equal(run.filter(({ text }) => text.includes('curl')).length, 4);
      for (const [index, { label, text }] of run.entries()) {
        const stdout = printed[index];
        const [user] = stdout?.split('\n') ?? [];
        if (text.includes('curl')) assert.equal(user, `${name}:s`, label);
        else if (label.startsWith('openid-client')) assert.ok(text.includes(`, ${scriptText(name)}, `), text);
        else assert.equal(stdout, name, label);
      }
    }
  });

  it('offer only what the client can do', () => {
    const labels = (client: Partial<Client>) =>
      clientSnippets('https://id.example', {
        clientId: 'x',
        scopes: [],
        openidScopes: [],
        redirectUris: [],
        postLogoutRedirectUris: [],
        confidential: true,
        tokenEndpointAuthMethod: '',
        allowedImplicitGrant: false,
        allowedClientCredentials: false,
        ...client,
      } as unknown as Client).map(({ label }) => label);
    const redirectUris = ['https://a.example/cb'];
    assert.deepEqual(labels({}), []);
    assert.deepEqual(labels({ allowedClientCredentials: true }), ['curl', 'openid-client']);
    const ofCode = ['Code without a library', 'openid-client, for people'];
    const frameworks = ['Express', 'Next.js', 'Spring Boot', 'ASP.NET Core', 'Python', 'Go', 'PHP'];
    const products = ['Grafana', 'Gitea', 'nginx'];
    assert.deepEqual(labels({ redirectUris }), [...frameworks, ...products, ...ofCode]);
    assert.deepEqual(labels({ redirectUris, scopes: ['read'] }), ofCode);
    const ofMethod = (tokenEndpointAuthMethod: 'client_secret_basic' | 'client_secret_post') =>
      labels({ redirectUris, tokenEndpointAuthMethod });
    assert.ok(!ofMethod('client_secret_basic').includes('ASP.NET Core'));
    assert.deepEqual(ofMethod('client_secret_post'), ['ASP.NET Core', ...ofCode]);
    const isPublic = { redirectUris, confidential: false };
    assert.deepEqual(labels(isPublic), ['SPA', 'openid-client, for people']);
    assert.deepEqual(labels({ ...isPublic, allowedImplicitGrant: true }), [
      'SPA',
      'openid-client, for people',
      'Implicit',
    ]);
    const ofGrafana = ['https://a.example/login/generic_oauth'];
    assert.equal(labels({ redirectUris: ofGrafana })[0], 'Grafana');
    for (const name of ['a"b', 'a\nb', '$x', "a'b", '-x']) {
      assert.deepEqual(labels({ redirectUris, clientId: name }), ofCode, name);
    }
  });

  it('ask for the scopes of OpenID Connect if the client logs users in', () => {
    const texts = (client: Partial<Client>) =>
      clientSnippets('https://id.example', {
        clientId: 'x',
        scopes: [],
        openidScopes: [],
        redirectUris: ['https://a.example/cb'],
        postLogoutRedirectUris: [],
        confidential: true,
        tokenEndpointAuthMethod: '',
        ...client,
      } as unknown as Client);
    const ofLabel = (client: Partial<Client>, label: RegExp) =>
      texts(client).find((snippet) => label.test(snippet.label))?.text ?? '';
    for (const [client, scope] of [
      [{ openidScopes: ['profile', 'email'], scopes: ['read'] }, 'openid profile email read'],
      [{}, 'openid'],
    ] as const) {
      const asked = client as unknown as Partial<Client>;
      const [curl, library] = [ofLabel(asked, /^Code/), ofLabel(asked, /^openid-client/)];
      assert.ok(curl.includes(`&scope=${scope.replaceAll(' ', '+')}\n`), curl);
      assert.ok(library.includes(`scope: '${scope}',`) && library.includes("algorithm: 'oidc'"), library);
      assert.match(library, /fetchUserInfo\(config, tokens\.access_token, sub\)/);
    }
    for (const { text } of texts({ scopes: ['read'] }))
      assert.doesNotMatch(text, /openid |oidc|fetchUserInfo/);
  });

  it('contain only a secret that was just created, and only for the shell', async () => {
    const client = {
      clientId: 'x',
      scopes: [],
      openidScopes: [],
      redirectUris: ['https://a.example/cb'],
      postLogoutRedirectUris: [],
      allowedClientCredentials: true,
      confidential: true,
      tokenEndpointAuthMethod: '',
      allowedImplicitGrant: false,
    } as unknown as Client;
    const all = (secret?: string) => [
      ...clientSnippets('https://id.example', client, secret),
      ...resourceServerSnippets('https://id.example', { key: 'key', scopes: [] }, secret),
    ];
    const placeholder = /SECRET=(?:the-printed-secret|a-long-random-text)/g;
    for (const { text, others = [] } of all()) {
      assert.doesNotMatch([text, ...others].join('\n').replaceAll(placeholder, ''), /SECRET='?\w/);
    }
    for (const { label, text, others = [] } of all("it's $(id)")) {
      assert.ok(!others.some((other) => other.includes("it'")), label);
      if (!text.includes("it'")) continue;
      const [line = assert.fail(label)] = /^.*SECRET='.*$/m.exec(text) ?? [];
      const { stdout } = await shell(`${line}; printf %s "$SECRET$WATCHWORD_TOKENINFO_SECRET"`);
      assert.equal(stdout, "it's $(id)", label);
    }
    const [{ text = '' } = {}] = tokenSnippets('wwa_1');
    const curl = 'curl() { shift; printf %s "$1"; }';
    assert.equal((await shell(`${curl}\n${text}`, { API: 'x' })).stdout, 'Authorization: Bearer wwa_1');
  });

  it('are those of the guides, with the values of the client', () => {
    const guides = new URL('../../../docs/guides/log-users-in/', import.meta.url);
    const pages = {
      'express.md': 'Express',
      'auth-js.md': 'Next.js',
      'spring-boot.md': 'Spring Boot',
      'grafana.md': 'Grafana',
      'gitea.md': 'Gitea',
      'oauth2-proxy.md': 'nginx',
      'browser-app.md': 'SPA',
    };
    for (const [page, label] of Object.entries(pages)) {
      const text = readFileSync(new URL(page, guides), 'utf8');
      const programs = [...text.matchAll(/\]\((\S+\/examples\/\S+\.\w+)\)/g)].map(([, file = '']) => file);
      const guide = [text, ...programs.map((file) => readFileSync(new URL(file, guides), 'utf8'))].join('');
      const all = (option: string) =>
        [...guide.matchAll(new RegExp(`--${option} (?:"([^"]*)"|(\\S+))`, 'g'))].map(
          ([, quoted, bare = '']) => quoted ?? bare,
        );
      const ofGuide = {
        clientId: (all('name')[1] ?? '').toLowerCase().replaceAll(' ', '-'),
        scopes: [],
        openidScopes: [...new Set(all('openid-scope'))],
        redirectUris: all('redirect-uri'),
        postLogoutRedirectUris: all('post-logout-redirect-uri'),
        confidential: label !== 'SPA',
        tokenEndpointAuthMethod: '',
        useRefreshTokens: guide.includes('--use-refresh-tokens'),
      } as unknown as Client;
      const [snippet = assert.fail(label)] = clientSnippets('https://login.example', ofGuide).filter(
        (each) => each.label === label,
      );
      const lines = [snippet.text, ...(snippet.others ?? [])].join('\n').split('\n');
      const own = ownLines[label] ?? [];
      assert.deepEqual(
        lines.filter((line) => !guide.includes(`${line}\n`) && !own.includes(line)),
        [],
        page,
      );
    }
  });

  describe('in use', () => {
    let server: TestServer;
    const directory = new URL('../../../node_modules/.cache/console-snippets/', import.meta.url);
    before(async () => {
      server = await startServer({ host: 'localhost' });
      await mkdir(directory, { recursive: true });
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });

    it('name the addresses of the metadata of the server', async () => {
      const { baseUrl } = server.service;
      const client = {
        redirectUris: ['https://a.example'],
        openidScopes: [],
        scopes: [],
      } as unknown as Client;
      const found = Object.fromEntries(
        serverAddresses(baseUrl, client).map(({ name, address }) => [name, address]),
      );
      const metadata = await (await fetch(found.discovery ?? '')).json();
      const { issuer, authorization, token, userinfo, jwks, logout } = found;
      assert.deepEqual(
        [issuer, authorization, token, userinfo, jwks, logout],
        [
          'issuer',
          'authorization_endpoint',
          'token_endpoint',
          'userinfo_endpoint',
          'jwks_uri',
          'end_session_endpoint',
        ].map((name) => metadata[name]),
      );
    });

    it('get a token with openid-client unchanged', async () => {
      const { client, secret } = await registerClient(server, {
        clientName: 'Snippet',
        scopes: ['read'],
        allowedClientCredentials: true,
      });
      const snippets = clientSnippets(server.service.baseUrl, clientRecord(client));
      const { text = '' } = snippets.find(({ label }) => label === 'openid-client') ?? {};
      const file = new URL('snippet.mjs', directory);
      await writeFile(file, `${text}\nexport default access_token;\n`);
      process.env.SECRET = secret ?? '';
      const { default: token } = await import(file.href);
      delete process.env.SECRET;
      assert.match(token, /^wwa_/);
    });
  });
});
