import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { watchword } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';

interface Finding {
  readonly recordType: string;
  readonly name: string | null;
  readonly rule: string;
  readonly section: string;
  readonly advice: string;
  readonly command: string | null;
}

describe('watchword lint', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
    await registerResourceServer(server, 'Named', {
      scopes: ['read'],
      resources: ['https://named.example/'],
    });
    const own = { allowedClientCredentials: false, confidential: false };
    const page = {
      ...own,
      allowedImplicitGrant: true,
      redirectUris: ['https://app.example/cb'],
    };
    await registerClient(server, { clientName: 'Page', ...page }, 'named');
    const native = { ...own, redirectUris: ['com.example.app:/cb', 'http://localhost/cb'] };
    await registerClient(server, { clientName: 'Native', ...native }, 'named');
    const { client } = await registerClient(server, { clientName: "It's old" }, 'named');
    await server.service.store.clients.update(client.id, { redirectUris: ['http://app.example/cb'] });
    await server.service.store.refreshRegistry();
  });
  after(() => server[Symbol.asyncDispose]());

  const onDatabase = (...args: string[]) => watchword([...args, '--database', server.database]);
  const lint = (...args: string[]) => onDatabase('lint', ...args);
  const findings = async (...args: string[]): Promise<Finding[]> => {
    const { code, stdout, stderr } = await lint(...args, '--json');
    assert.equal(code, stdout === '[]\n' ? 0 : 3, stderr);
    return JSON.parse(stdout);
  };
  const brief = (found: readonly Finding[]) => found.map(({ name, rule }) => `${name} ${rule}`);

  it('lists what each profile forbids with rule, section and command, and exits with 3', async () => {
    const oauth = ['page profile_code_flow', 'its-old profile_redirect_uri'];
    assert.deepEqual(brief(await findings('--profile', 'oauth-2.1')), oauth);
    // The server is compatible.
    assert.deepEqual(brief(await findings()), oauth);
    const strict = await findings('--profile', 'mcp');
    assert.deepEqual(brief(strict), [
      'demo-resource-server profile_resource_uri',
      ...['page profile_code_flow', 'native profile_web_redirect_uri', 'its-old profile_redirect_uri'],
    ]);
    assert.ok(strict.every(({ section }) => section.startsWith('MCP Authorization (2026-07-28), ')));
    const { code, stdout } = await lint('--profile', 'mcp');
    assert.equal(code, 3);
    assert.match(
      stdout,
      /client native: redirectUris has com\.example\.app:\/cb, which .*\n {2}mcp, profile_web_redirect_uri: MCP .*\n {2}Let .*\n {2}watchword client update native --redirect-uri http:\/\/localhost\/cb\n/,
    );
  });

  it('finds what the settings break, and nothing in compatible, which has no rules', async () => {
    const env = { WATCHWORD_CLIENTS_METADATA_DOCUMENTS: 'off' };
    const { stdout } = await watchword(
      ['lint', '--profile', 'mcp', '--json', '--database', server.database],
      { env },
    );
    const [settings] = JSON.parse(stdout);
    assert.deepEqual([settings.recordType, settings.name, settings.command], ['settings', null, null]);
    assert.equal(settings.field, 'clients.metadataDocuments');
    assert.equal((await lint('--profile', 'compatible')).code, 2);
  });

  it('is not needed for what the profile of the environment refuses at once', async () => {
    const client = ['client', 'create', '--name', 'New', '--resource-server', 'named', '--public'];
    const implicit = [...client, '--allow-implicit-grant', '--redirect-uri', 'https://new.example/cb'];
    const env = { WATCHWORD_PROFILE: 'oauth-2.1' };
    const { code, stderr } = await watchword([...implicit, '--database', server.database], { env });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /allowedImplicitGrant: .*profile oauth-2\.1, profile_code_flow/);
  });

  it('works over the network, and shows owners their own records alone', async () => {
    const [root, owner] = [await server.administrator(), await server.person('owner')];
    const { id } = await owner.create('/admin/resourceServer', anApi);
    const of = { clientName: 'Own page', contactName: 'Ann', redirectUris: ['https://own.example/cb'] };
    await owner.create(`/admin/resourceServer/${id}/client`, { ...of, allowedImplicitGrant: true });
    const remote = async (token: string, ...args: string[]) =>
      watchword(['lint', '--url', server.baseUrl, '--json', ...args], {
        env: { WATCHWORD_ADMIN_TOKEN: token },
      });
    const own = await remote(owner.token);
    assert.equal(own.code, 3, own.stderr);
    assert.deepEqual(brief(JSON.parse(own.stdout)), ['own-page profile_code_flow']);
    const all = await remote(root.token, '--profile', 'mcp');
    assert.deepEqual(JSON.parse(all.stdout), await findings('--profile', 'mcp'));
    const refused = await remote('wwa_unknown');
    assert.equal(refused.code, 1, refused.stdout);
    assert.equal((await owner.get('/admin/lint?profile=strict')).status, 400);
    assert.deepEqual((await owner.get('/admin/lint?clientId=page')).json, []);
    const [one, ...others] = (await owner.get('/admin/lint?profile=mcp&clientId=own-page')).json;
    assert.deepEqual([one.recordType, one.name, one.profile, others], ['client', 'own-page', 'mcp', []]);
  });

  it('names the configuration of a managed record in the place of a command', async () => {
    const { clients, refreshRegistry } = server.service.store;
    const fields = { clientName: 'Managed', scopes: ['read'] };
    const { client } = await registerClient(server, fields, 'named');
    await clients.update(client.id, { redirectUris: ['http://app.example/cb'], managedBy: 'production' });
    const found = (await findings('--profile', 'mcp')).find(({ name }) => name === 'managed');
    assert.equal(found?.command, null);
    assert.match(found?.advice ?? '', /The configuration "production" manages this record: change its file/);
    await clients.delete(client.id);
    await refreshRegistry();
  });

  it('lists records page by page, each once', async () => {
    const root = await server.administrator();
    const names: string[] = [];
    let path: string | undefined = '/admin/lint?profile=mcp&limit=1';
    while (path !== undefined) {
      const { json, headers } = await root.get(path);
      names.push(...json.map(({ name }: Finding) => name));
      const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      path = next?.slice(next.indexOf('/admin/'));
    }
    assert.deepEqual(names, [...new Set((await findings('--profile', 'mcp')).map(({ name }) => name))]);
  });

  it('prints commands that mend what they stand for', async () => {
    for (const profile of ['oauth-2.1', 'mcp']) {
      // An owner registered a resource server meanwhile: each gets a URI of its own.
      const lines = (await findings('--profile', profile)).map(({ command }, index) =>
        (command ?? assert.fail())
          .replace('REDIRECT_URI', 'https://mended.example/cb')
          .replace(' URI', ` https://api-${index}.example`),
      );
      const script = lines.map((line) => `printf '%s\\0' ${line}; echo`).join('\n');
      const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
      for (const [index, line] of lines.entries()) {
        const [watchwordItself, ...words] = (read[index] ?? '').split('\0').slice(0, -1);
        assert.equal(watchwordItself, 'watchword');
        const { code, stderr } = await onDatabase(...words);
        assert.equal(code, 0, `${line}: ${stderr}`);
      }
      assert.deepEqual(await findings('--profile', profile), [], profile);
      assert.equal((await lint('--profile', profile)).stdout, 'Nothing was found.\n');
    }
  });
});
