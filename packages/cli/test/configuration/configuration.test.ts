import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { planInWords } from '../../src/configuration/plan-in-words.ts';

const text = `version: 1
name: shop
resourceServers:
  - key: orders
    name: Orders
    contactName: Ann
    secret: env:ORDERS
    scopes:
      - name: orders.read
        description: See your orders
        descriptions: { nl: Je bestellingen zien }
clients:
  - clientId: shop
    resourceServer: orders
    clientName: Shop
    contactName: Ann
    secret: file:shop.secret
    scopes: [orders.read]
    redirectUris: [https://shop.example/callback]
`;
/** Clients that have keys in the place of a secret. */
const key =
  '{ kty: EC, crv: P-256, use: sig, kid: a, x: f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU, y: x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0, x5t: not-used }';
const keyed = `  - clientId: signer
    resourceServer: orders
    clientName: Signer
    contactName: Ann
    allowedClientCredentials: true
    tokenEndpointAuthMethod: private_key_jwt
    tokenEndpointAuthSigningAlg: ES256
    jwks: { keys: [${key}] }
  - clientId: remote-signer
    resourceServer: orders
    clientName: Remote signer
    contactName: Ann
    allowedClientCredentials: true
    tokenEndpointAuthMethod: private_key_jwt
    jwksUri: https://signer.example/jwks.json
  - clientId: workload
    resourceServer: orders
    clientName: Workload
    contactName: Ann
    allowedClientCredentials: true
    tokenEndpointAuthMethod: assertion_issuer
    assertionIssuers:
      - issuer: https://token.actions.githubusercontent.com
        audience: https://id.example.com
        subject: repo:octo-org/octo-repo:*
        jwksUri: https://token.actions.githubusercontent.com/.well-known/jwks
      - issuer: https://cluster.example
        audience: a
        subject: system:serviceaccount:jobs:night
        jwks: { keys: [${key}] }
      - issuer: spiffe://own.example
        audience: a
        subject: spiffe://own.example/jobs/*
`;
const env = {
  ORDERS: 'a secret of the orders',
  SECRET_ORDERS: 'a secret of the orders',
  SECRET_SHOP: 'a secret of the shop',
  WATCHWORD_CLIENTS_ASSERTION_ISSUERS: '[{ "issuer": "spiffe://own.example", "jwksFile": "bundle.json" }]',
};

describe('a configuration at the command line', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const run = async (command: string, content: string | Uint8Array, ...args: string[]) => {
    writeFileSync(directory.file('clients.yaml'), content);
    writeFileSync(directory.file('shop.secret'), 'a secret of the shop\n');
    const database = ['--database', directory.file('x.db')];
    return watchword([command, directory.file('clients.yaml'), ...args, ...database], { env });
  };
  before(async () => {
    directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
  });
  after(() => directory[Symbol.asyncDispose]());

  it('is planned with 3 for changes, applied, and then there is nothing to do, also with its own export', async () => {
    const planned = await run('plan', text + keyed);
    assert.equal(planned.code, 3, planned.stderr);
    assert.match(planned.stdout, /^\+ resource server orders\n {4}name: "Orders"\n[\s\S]*\n\+ client shop\n/);
    assert.match(planned.stdout, /Configuration shop: 5 to create, 0 unchanged\.\n$/);
    const applied = await run('apply', text + keyed);
    assert.match(applied.stdout, /Configuration shop: 5 created, 0 unchanged\.\n$/);
    assert.doesNotMatch(applied.stdout + applied.stderr, /a secret of/);
    const again = await run('plan', text + keyed);
    assert.deepEqual(
      [again.code, again.stdout],
      [0, 'Configuration shop: nothing to do, 5 records are as it says.\n'],
    );
    const database = ['--database', directory.file('x.db')];
    const { stdout } = await watchword(['export', '--name', 'shop', ...database]);
    assert.match(stdout, /secret: env:SECRET_ORDERS\n[\s\S]*secret: env:SECRET_SHOP\n/);
    const exported = await run('plan', stdout, '--json');
    assert.deepEqual(
      [exported.code, JSON.parse(exported.stdout)],
      [0, { name: 'shop', changes: [], unchanged: 5 }],
    );
    const refused = await watchword(['client', 'rotate-secret', 'shop', ...database]);
    assert.match(refused.stderr, /The configuration shop manages this record: change its file/);
  });

  it('is what the guide shows, from its file to its export', async () => {
    await using folder = await temporaryDirectory();
    await copyMigrated(folder.file('x.db'));
    const guide = readFileSync(new URL('../../../../docs/guides/clients-in-git.md', import.meta.url), 'utf8');
    const [, content = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(folder.file('clients.yaml'), content);
    writeFileSync(folder.file('catalog-web.secret'), 'a secret of the catalog\n');
    const shown = (command: string, ...args: string[]) =>
      watchword([command, ...args, '--database', folder.file('x.db')], {
        env: { CATALOG_API_SECRET: 'a secret of its API' },
      });
    const codes = [];
    for (const command of ['plan', 'apply', 'plan'])
      codes.push((await shown(command, folder.file('clients.yaml'))).code);
    assert.deepEqual(codes, [3, 0, 0]);
    const exported = await shown('export', '--resource-server', 'catalog-api', '--name', 'catalog');
    assert.match(exported.stdout, /name: catalog\n[\s\S]*clientId: catalog-web/);
  });

  it('is planned in colours at a terminal, which no name can write to', () => {
    const of = { recordType: 'client', fields: [] } as const;
    const changes = [
      { ...of, name: 'a\u001b[2J', action: 'delete' },
      { ...of, name: 'b', action: 'takeOver' },
    ] as const;
    const plan = { name: 'shop', changes, unchanged: 1 };
    assert.deepEqual(planInWords(plan, false, true), [
      '\u001b[31m- client a\\u001b[2J\u001b[0m',
      '',
      '\u001b[36m@ client b (taken over: it was made by hand)\u001b[0m',
      '',
      'Configuration shop: 1 to take over, 1 to delete, 1 unchanged.',
    ]);
    assert.ok(!planInWords(plan, true, false).join('').includes('\u001b'));
  });

  it('prints the JSON Schema of its file', async () => {
    const { stdout } = await watchword(['apply', '--schema']);
    const { clients } = JSON.parse(stdout).properties;
    assert.equal(clients.items.properties.otherResourceServers.items.properties.key.type, 'string');
    assert.match('env:NAME', new RegExp(clients.items.properties.secret.pattern));
  });

  const replaced = (from: string, to: string) => text.replace(from, to);
  const bomb = `version: 1\nname: shop\na: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n`;
  const refusals: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    [
      'an unknown field',
      replaced('redirectUris', 'redirectUri'),
      /:19:5: redirectUri is not a field of this record; did you mean redirectUris\?/,
    ],
    ['a wrong type', replaced('[orders.read]', 'orders.read'), /:18:5: scopes expected a list/],
    [
      'a literal secret',
      replaced('env:ORDERS', 'my dear secret'),
      /:7:5: secret: expected a reference, env:NAME or file:PATH/,
    ],
    [
      'a missing variable',
      replaced('env:ORDERS', 'env:NOT_SET'),
      /:7:5: secret: the variable NOT_SET is not set/,
    ],
    [
      'a missing file',
      replaced('shop.secret', 'none.secret'),
      /:17:5: secret: the file "none.secret" cannot be read: ENOENT/,
    ],
    [
      'a private key',
      text + keyed.replace('kid: a', 'kid: a, d: dear'),
      /:27:5: jwks: has a key \(number 1\) that is private/,
    ],
    [
      'an issuer of which nobody has keys',
      text + keyed.replace('issuer: spiffe://own', 'issuer: spiffe://other'),
      /:41:5: assertionIssuers: has an issuer \(number 3\) without keys: set jwks or jwksUri/,
    ],
    [
      'a secret beside keys',
      text + keyed.replace('    jwks:', '    secret: env:ORDERS\n    jwks:'),
      /:27:5: secret: must be left out/,
    ],
    ['a record twice', `${text}  - clientId: shop\n`, /:20:5: "shop" is here twice/],
    [
      'another version',
      replaced('version: 1', 'version: 2'),
      /:1:1: expected 1, the version of the schema of this release, got 2/,
    ],
    ['a key twice', `${text}clients: []\n`, /:20:1: the key is there twice/],
    ['an alias bomb', bomb, /:3:4: anchors are refused[\s\S]*:4:8: aliases are refused/],
    [
      'a cycle',
      'version: 1\nname: shop\nclients: &a [*a]\n',
      /:3:10: anchors .*\n.*:3:14: aliases are refused/,
    ],
    ['a key that is no text', `? [a]\n: b\n`, /:1:\d: expected a text as the name of a member/],
    ['a depth that nobody writes', '['.repeat(5000), /:1:\d+: expected YAML: nesting exceeded/],
    ['a tag', replaced('clientName: Shop', 'clientName: !!str Shop'), /tags are refused/],
    [
      'a merge key',
      replaced('    resourceServer: orders', '    <<: { resourceServer: orders }'),
      /:14:5: merge keys are refused/,
    ],
    ['a part of a file', text.slice(0, text.indexOf('callback')), /:19:\d+: expected YAML/],
    ['several documents', `${text}---\n${text}`, /expected one document, got several/],
    ['another encoding', Buffer.from(text, 'utf16le'), /:1:2: expected UTF-8, got other bytes/],
    ['no configuration', '- a\n', /:1:1: expected an object with version, name/],
  ];
  for (const [what, content, expected] of refusals) {
    it(`is refused with the place of ${what}, and exit code 1`, async () => {
      const { code, stderr, stdout } = await run('apply', content);
      assert.match(stderr, expected);
      assert.deepEqual([code, stdout], [1, '']);
      assert.doesNotMatch(stderr, /dear/);
    });
  }
});
