import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createOutboundFetch } from '@watchword/outbound';
import { trustCertificates } from '@watchword/server-testkit/neighbours/trusted-certificates';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { copyDemo } from '@watchword/server-testkit/servers/server';
import { testKey } from '@watchword/testkit/certificate';
import { startSite, type TestSite } from '@watchword/testkit/site';
import { sectorIdentifiersOf } from '../../src/core/clients/client-urls.ts';

const key = testKey('localhost');
const redirectUris = ['https://a.example/cb', 'https://b.example/cb'];

const answers: Readonly<Record<string, RequestListener>> = {
  '/list': (_request, response) => response.end(JSON.stringify(redirectUris)),
  '/object': (_request, response) => response.end('{}'),
  '/numbers': (_request, response) => response.end('[1]'),
  '/html': (_request, response) => response.end('<html>'),
  '/error': (_request, response) => response.writeHead(500).end('[]'),
  '/redirect': (_request, response) => response.writeHead(302, { location: '/list' }).end(),
  '/large': (_request, response) => response.end(`["${'x'.repeat(250_000)}"]`),
};

let server: AdministrationServer;
let emma: Administering;
let collection: string;
before(async () => {
  server = await startAdministration({ 'signing.algorithms': 'ES256' });
  emma = await server.person('emma');
  collection = `/admin/resourceServer/${(await emma.create('/admin/resourceServer', anApi)).id}/client`;
});
after(() => server[Symbol.asyncDispose]());

describe('the document of a sector identifier URI', () => {
  let site: TestSite;
  before(async () => {
    site = await startSite((request, response) => answers[request.url ?? '']?.(request, response), key);
  });
  after(() => site[Symbol.asyncDispose]());

  const at = (path: string) => `${site.url.replace('127.0.0.1', 'localhost')}${path}`;
  const read = (path: string, allowPrivateAddresses = true) =>
    sectorIdentifiersOf(
      createOutboundFetch({ allowPrivateAddresses, certificateAuthorities: [key.certificate] }),
    ).read(at(path));

  it('is a JSON array of texts', async () => {
    assert.deepEqual(await read('/list'), { redirectUris });
    for (const path of ['/object', '/numbers']) {
      assert.deepEqual(await read(path), { problem: 'has a document that is not a JSON array of texts' });
    }
    assert.deepEqual(await read('/html'), { problem: 'has a document that is not JSON' });
  });

  it('has the status 200, at the address itself, and a bounded size', async () => {
    assert.deepEqual(await read('/error'), { problem: 'answered with status 500; expected 200' });
    assert.deepEqual(await read('/redirect'), {
      problem: 'redirects to another address; register the final address',
    });
    assert.deepEqual(await read('/large'), { problem: 'has a document of more than 250000 bytes' });
  });

  it('is not requested at an address that is not public, and the answer does not say where that is', async () => {
    const before = site.requests.length;
    const document = await read('/list', false);
    assert.ok('problem' in document);
    assert.match(document.problem, /^has a host without a public address; .*outbound\.privateHosts$/);
    assert.doesNotMatch(document.problem, /127\.0\.0\.1|::1/);
    assert.equal(site.requests.length, before);
  });

  it('decides what the command line registers, on a database and in an import', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyDemo(database);
    using _trusted = trustCertificates(key.certificate);
    const env = {
      WATCHWORD_OUTBOUND_PRIVATE_HOSTS: new URL(at('/')).host,
      WATCHWORD_DATABASE: database,
    };
    const run = (args: readonly string[], stdin = '') => watchword(args, { env, stdin });
    const create = (uri: string, path: string) =>
      run([
        ...['client', 'create', '--name', 'Portal', '--resource-server', 'demo-resource-server', '--json'],
        ...['--redirect-uri', 'https://a.example/cb', '--redirect-uri', uri, '--subject-type', 'pairwise'],
        ...['--sector-identifier-uri', at(path)],
      ]);
    const { stdout, stderr } = await create('https://b.example/cb', '/list');
    assert.equal(stderr, '');
    assert.equal(JSON.parse(stdout).sectorIdentifierUri, at('/list'));
    const other = await create('https://c.example/cb', '/list');
    assert.equal(other.code, 1);
    assert.match(other.stderr, /does not list the redirect URI "https:\/\/c\.example\/cb"/);
    const imported = (path: string) => ({
      clientId: `moved${path}`.replace('/', '-'),
      secret: 'a-secret-of-16-characters',
      ...{ clientName: 'Moved', contactName: 'Emma', redirectUris, sectorIdentifierUri: at(path) },
    });
    const records = (path: string) => ({
      resourceServers: [
        {
          ...{ key: 'moved-api', secret: 'a-secret-of-16-characters', name: 'API', contactName: 'Emma' },
          clients: [imported(path)],
        },
      ],
    });
    const refused = await run(['import', '-'], JSON.stringify(records('/error')));
    assert.match(refused.stdout, /client moved-error: sectorIdentifierUri: answered with status 500/);
    assert.equal((await run(['import', '-'], JSON.stringify(records('/list')))).code, 0);
  });
});

describe('a sector identifier URI over REST', () => {
  it('is refused if its host has no public address', async () => {
    await using site = await startSite((_request, response) => response.end('[]'), key);
    const fields = { ...anApp, redirectUris, sectorIdentifierUri: site.url };
    const { status, json } = await emma.call('POST', collection, fields);
    assert.equal(status, 400);
    assert.match(json.violations[0], /^sectorIdentifierUri: has a host without a public address/);
    assert.equal(site.requests.length, 0);
  });

  it('is required for pairwise subjects of several hosts', async () => {
    const fields = { ...anApp, redirectUris, subjectType: 'pairwise' };
    const { status, json } = await emma.call('POST', collection, fields);
    assert.equal(status, 400);
    assert.match(json.violations[0], /^sectorIdentifierUri: is required/);
  });
});

describe('the algorithms of a client over REST', () => {
  it('are those by which the server signs', async () => {
    const register = (idTokenSignedResponseAlg: string) =>
      emma.call('POST', collection, { ...anApp, idTokenSignedResponseAlg });
    assert.equal((await register('ES256')).status, 201);
    const { status, json } = await register('RS256');
    assert.equal(status, 400);
    assert.match(json.violations[0], /^idTokenSignedResponseAlg: is RS256, .*: ES256$/);
  });
});

describe('the format of access tokens over REST', () => {
  it('is a conflict with clients that have no lifetime for it, which are named', async () => {
    const { id } = await emma.create('/admin/resourceServer', { ...anApi, name: 'JWT API' });
    const { clientId } = await emma.create(`/admin/resourceServer/${id}/client`, anApp);
    const { status, json } = await emma.call('PATCH', `/admin/resourceServer/${id}`, {
      accessTokenFormat: 'jwt',
    });
    assert.equal(status, 409);
    assert.equal(json.error, 'conflict');
    assert.equal(json.violations.length, 1);
    assert.ok(json.violations[0].includes(clientId));
  });

  it('stays when a replacement leaves it out', async () => {
    const { id } = await emma.create('/admin/resourceServer', {
      ...anApi,
      name: 'Others API',
      accessTokenFormat: 'jwt',
    });
    const { json } = await emma.call('PUT', `/admin/resourceServer/${id}`, { ...anApi, name: 'Others API' });
    assert.equal(json.accessTokenFormat, 'jwt');
  });
});
