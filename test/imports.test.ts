import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function protocolRooms(...names: readonly string[]): string[] {
  return names.map((name) => `packages/protocol/src/${name}/`);
}

function authorizeRooms(...names: readonly string[]): string[] {
  return names.map((name) => `packages/protocol/src/authorize/${name}`);
}

function administrationRooms(...names: readonly string[]): string[] {
  return names.map((name) => `packages/administration/src/${name}`);
}

function serverRooms(...names: readonly string[]): string[] {
  return names.map((name) => `packages/server/src/${name}`);
}

/**
 * The rooms that each room can import, beside itself. A room is a package, an example, or a folder or file of the server;
 * the longest name that matches a file is its room. Imports of types follow the same rule.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  'packages/endpoint/src': [],
  'packages/outbound/src': [],
  'packages/protocol/src/index.ts': ['packages/protocol/src'],
  'packages/protocol/src/endpoints': protocolRooms(
    'authorize',
    'grants',
    'clients',
    'tokens',
    'openid',
    'keys',
    'rules',
    'ports',
    'model',
  ),
  'packages/protocol/src/authorize': [
    ...authorizeRooms('request/', 'response-types/', 'targets/', 'sessions/', 'browser.ts', 'parameters.ts'),
    ...protocolRooms('clients', 'tokens', 'openid', 'keys', 'rules', 'ports', 'model'),
  ],
  'packages/protocol/src/authorize/request': [
    ...authorizeRooms('response-types/', 'targets/', 'parameters.ts'),
    ...protocolRooms('openid', 'rules', 'ports', 'model'),
  ],
  'packages/protocol/src/authorize/response-types': [
    ...authorizeRooms('targets/', 'parameters.ts'),
    ...protocolRooms('tokens', 'openid', 'rules', 'ports', 'model'),
  ],
  'packages/protocol/src/authorize/targets': [
    ...authorizeRooms('browser.ts'),
    ...protocolRooms('rules', 'ports', 'model'),
  ],
  'packages/protocol/src/authorize/sessions': [
    ...authorizeRooms('browser.ts'),
    ...protocolRooms('tokens', 'keys', 'rules', 'ports', 'model'),
  ],
  'packages/protocol/src/authorize/browser.ts': [],
  'packages/protocol/src/authorize/parameters.ts': ['packages/protocol/src/rules'],
  'packages/protocol/src/grants': protocolRooms(
    'clients',
    'tokens',
    'openid',
    'keys',
    'rules',
    'ports',
    'model',
  ),
  'packages/protocol/src/clients': protocolRooms('tokens', 'keys', 'rules', 'ports', 'model'),
  'packages/protocol/src/tokens': protocolRooms('openid', 'keys', 'rules', 'ports', 'model'),
  'packages/protocol/src/openid': protocolRooms('keys', 'rules', 'ports', 'model'),
  'packages/protocol/src/keys': protocolRooms('rules', 'ports', 'model'),
  'packages/protocol/src/rules': protocolRooms('ports', 'model'),
  'packages/protocol/src/ports': protocolRooms('model'),
  'packages/protocol/src/model': protocolRooms(),
  'packages/administration/src': ['packages/protocol', 'packages/administration'],
  'packages/administration/src/bootstrap': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'resource-servers/', 'records.ts'),
  ],
  'packages/administration/src/import': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'clients/', 'resource-servers/'),
  ],
  'packages/administration/src/clients': [
    'packages/protocol',
    ...administrationRooms(
      'callers/',
      'changes/',
      'lists/',
      'registered/',
      'requests/',
      'schema/',
      'records.ts',
      'route.ts',
    ),
  ],
  'packages/administration/src/resource-servers': [
    'packages/protocol',
    ...administrationRooms(
      'callers/',
      'changes/',
      'clients/',
      'lists/',
      'registered/',
      'requests/',
      'schema/',
      'records.ts',
      'route.ts',
    ),
  ],
  'packages/administration/src/registered': [
    'packages/protocol',
    ...administrationRooms('callers/', 'lists/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/tokens': [
    'packages/protocol',
    ...administrationRooms(
      'callers/',
      'changes/',
      'grants/',
      'lists/',
      'requests/',
      'schema/',
      'records.ts',
      'route.ts',
    ),
  ],
  'packages/administration/src/grants': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/accounts': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/resource-owners': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/identity-providers': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/sessions': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/keys': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/'),
  ],
  'packages/administration/src/audit': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/errors': [
    'packages/protocol',
    ...administrationRooms('callers/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/statistics': [
    'packages/protocol',
    ...administrationRooms('callers/', 'clients/', 'lists/', 'requests/', 'schema/', 'route.ts'),
  ],
  'packages/administration/src/principal': [...administrationRooms('callers/', 'schema/', 'route.ts')],
  'packages/administration/src/lists': [
    'packages/protocol',
    ...administrationRooms('callers/', 'requests/', 'route.ts'),
  ],
  'packages/administration/src/requests': [
    'packages/protocol',
    ...administrationRooms('changes/', 'route.ts'),
  ],
  'packages/administration/src/route.ts': [
    'packages/protocol',
    ...administrationRooms('callers/', 'changes/', 'schema/'),
  ],
  'packages/administration/src/changes': [
    'packages/protocol',
    ...administrationRooms('callers/', 'records.ts'),
  ],
  'packages/administration/src/callers': ['packages/protocol', ...administrationRooms('records.ts')],
  'packages/administration/src/records.ts': ['packages/protocol'],
  'packages/administration/src/schema': ['packages/protocol'],
  'packages/store-sql/src/index.ts': ['packages/store-sql/src'],
  'packages/store-sql/src': ['packages/protocol', 'packages/store-sql/src/hot'],
  'packages/store-sql/src/hot': ['packages/protocol'],
  'packages/store-sql/src/dialects': ['packages/protocol', 'packages/store-sql/src'],
  'packages/store-sql/src/dialects/postgresql/connection': [
    'packages/protocol',
    'packages/store-sql/src/database-open-error.ts',
    'packages/store-sql/src/database-events.ts',
    'packages/store-sql/src/transaction-conflict.ts',
  ],
  'packages/saml/src': ['packages/protocol', 'packages/outbound'],
  'packages/testkit/src': ['packages/protocol', 'packages/administration', 'packages/endpoint'],
  'packages/server-testkit/src': [
    'packages/protocol',
    'packages/administration',
    'packages/server',
    'packages/store-sql',
    'packages/testkit',
  ],
  'packages/resource-server/src': ['packages/endpoint'],
  'packages/admin-client/src': ['packages/endpoint'],
  'packages/console/src': [
    'packages/admin-client',
    'packages/protocol/src/model/hidden-characters.ts',
    'packages/protocol/src/model/identifier.ts',
  ],
  'examples/resource-server/src': ['packages/resource-server'],
  'examples/client-app/src': [],
  'examples/demo': ['examples/', 'packages/resource-server'],
  'packages/server/src/config': [
    'packages/protocol',
    ...serverRooms('configuration-error.ts', 'schemas.ts', 'secret-source.ts'),
  ],
  'packages/server/src/configuration-error.ts': [],
  'packages/server/src/core': [
    'packages/protocol',
    'packages/administration',
    'packages/store-sql',
    'packages/outbound',
    ...serverRooms('config/', 'http/', 'modules/', 'pages/', 'runtime/', 'signing/', 'tracing/'),
    ...serverRooms('configuration-error.ts', 'loopback-only.ts', 'place.ts', 'system.ts', 'version.ts'),
  ],
  'packages/server/src/features': [
    'packages/protocol',
    'packages/administration',
    ...serverRooms('console/', 'core/', 'http/', 'runtime/', 'version.ts'),
  ],
  'packages/server/src/console': ['packages/server/src/pages'],
  'packages/server/src/http': [
    'packages/protocol',
    'packages/administration',
    'packages/server/src/console',
    'packages/server/src/http/connections',
    'packages/server/src/runtime',
    'packages/server/src/pages',
  ],
  'packages/server/src/http/connections': [
    'packages/protocol',
    'packages/server/src/runtime',
    ...serverRooms('http/answer.ts', 'http/error-answer.ts', 'http/every-answer.ts', 'http/request-ids.ts'),
  ],
  'packages/server/src/listen.ts': ['packages/server/src/http/'],
  'packages/server/src/loopback-only.ts': ['packages/protocol'],
  'packages/server/src/modules': ['packages/protocol', 'packages/server/src/schemas.ts'],
  'packages/server/src/runtime': ['packages/protocol', 'packages/administration', 'packages/store-sql'],
  'packages/server/src/place.ts': [
    'packages/protocol',
    ...serverRooms('http/', 'listen.ts', 'runtime/', 'signing/'),
  ],
  'packages/server/src/pages': [
    'packages/protocol',
    'packages/administration',
    'packages/server/src/configuration-error.ts',
  ],
  'packages/server/src/schemas.ts': [],
  'packages/server/src/secret-source.ts': ['packages/protocol'],
  'packages/server/src/signing': [
    'packages/protocol',
    'packages/administration',
    ...serverRooms('runtime/', 'secret-source.ts'),
  ],
  'packages/server/src/system.ts': ['packages/protocol'],
  'packages/server/src/tracing': ['packages/protocol', 'packages/store-sql', 'packages/server/src/runtime'],
  'packages/server/src/version.ts': [],
  'packages/server/src/workers': serverRooms(
    'config/',
    'http/',
    'runtime/',
    'listen.ts',
    'place.ts',
    'version.ts',
  ),
};

/** Rooms that can import any room of their package. */
const freeWithinPackage = new Set(['packages/server/src']);

/** Can import every room: the file that composes the server, and the entries above it. */
const composition = /^packages\/server\/src\/(?:(?:compose|shutdown|demo|index)\.ts$|cli\/)/;

const packageOf: Readonly<Record<string, string>> = Object.fromEntries(
  globSync('packages/*/package.json', { cwd: root }).map((file) => [
    JSON.parse(readFileSync(join(root, file), 'utf8')).name,
    dirname(file),
  ]),
);

const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts', 'examples/demo/*.ts'], {
  cwd: root,
}).map((file) => file.replaceAll('\\', '/'));

describe('imports', () => {
  it('follow the arrows of ARCHITECTURE.md only', () => {
    const wrong = files
      .filter((file) => !composition.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => isOurs(target) && !isAllowed(file, target))
          .map((target) => `${file} imports ${target}`),
      );
    assert.deepEqual(wrong, []);
  });

  it('have the arrows in the tables of ARCHITECTURE.md', () => {
    const held = Object.entries(arrows).map(([room, targets]) => [plain(room), targets.map(plain).sort()]);
    assert.deepEqual(Object.fromEntries(documentedArrows()), Object.fromEntries(held));
  });

  it('bring no dependency into the protocol, no framework into the store, no driver into HTTP', () => {
    for (const [room, allowed] of [
      ['packages/endpoint/', /^$/],
      ['packages/outbound/', /^node:/],
      ['packages/protocol/', /^node:(?:crypto|zlib|buffer)$/],
      ['packages/store-sql/', /^node:|^kysely|^pg$/],
      ['packages/administration/', /^node:buffer$|^valibot$/],
      ['packages/server/src/config/', /^node:(?:fs\/promises|net|path)$|^valibot$|^yaml$/],
      ['packages/saml/', /^node:|^@node-saml\/node-saml$|^saxes$|^xml-crypto$|^xml-encryption$/],
      [
        'packages/server/src/http/',
        /^node:(?:async_hooks|buffer|crypto|events|http|net)$|^find-my-way$|^@fastify\/proxy-addr$|^cookie$/,
      ],
      ['packages/server/src/pages/', /^node:(?:crypto|fs|path|url|vm)$|^eta$/],
      ['packages/server/src/modules/', /^node:(?:crypto|module|path|url)$|^valibot$/],
      ['packages/server/src/signing/', /^node:(?:crypto|fs\/promises|path|util)$|^jose(?:\/|$)|^lru-cache$/],
      [
        'packages/server/src/tracing/',
        /^node:(?:crypto|https?)$|^@fastify\/proxy-addr$|^@opentelemetry\/(?:api|context-async-hooks|core|exporter-trace-otlp-http|resources|sdk-trace)$/,
      ],
      ['packages/server/src/console/', /^node:(?:crypto|fs|path|url|util|zlib)$/],
      ['packages/admin-client/', /^$/],
      ['packages/console/', /^(?:react|react-dom\/client|@tanstack\/react-query)$|\.css$/],
      [
        'packages/resource-server/',
        /^(?:@nestjs\/(?:common|core)|rxjs|fastify|hono(?:\/http-exception)?|node:http|jose\/[\w/]+)$/,
      ],
      ['examples/resource-server/', /^(?:node:sqlite|fastify|@fastify\/cors)$/],
      ['examples/client-app/', /^node:(?:fs|http|net)$/],
    ] as const) {
      const outside = files
        .filter((file) => file.startsWith(room))
        .flatMap((file) => importsOf(file).filter((target) => !isOurs(target)))
        .filter((target) => !allowed.test(target));
      assert.deepEqual(outside, [], room);
    }
  });

  it('leave the text of every file and input of an operator to the rule of UTF-8', () => {
    const readers = /readFile(?:Sync)?\([^;]*?'utf-?8'|node:stream\/consumers/;
    const found = files.filter(
      (file) =>
        /^packages\/(?:server|saml|store-sql)\/src\//.test(file) &&
        readers.test(readFileSync(join(root, file), 'utf8')),
    );
    // These read files of their package.
    assert.deepEqual(found.sort(), [
      'packages/saml/src/saml-module.ts',
      'packages/server/src/console/files.ts',
      'packages/server/src/pages/locales.ts',
      'packages/server/src/version.ts',
    ]);
  });

  it('bring the driver of PostgreSQL into one room', () => {
    const room = 'packages/store-sql/src/dialects/postgresql/connection/';
    const outside = files.filter((file) => file.startsWith('packages/store-sql/') && !file.startsWith(room));
    assert.deepEqual(
      outside.filter((file) => importsOf(file).includes('pg')),
      [],
    );
  });

  it('import only types of packages that a user of the resource-server library does not have', () => {
    const importers = files
      .filter((file) => file.startsWith('packages/resource-server/'))
      .filter((file) => valueImportsOf(file).some((target) => !/^(?:packages|jose)\//.test(target)));
    // By the entries for Hono, in each of its forms, and NestJS.
    const entries = /^packages\/resource-server\/src\/(?:hono|hono-in-node|nestjs|nestjs\/\w+)\.ts$/;
    assert.deepEqual(
      importers.filter((file) => !entries.test(file)),
      [],
    );
    assert.ok(importers.length > 2);
  });

  it('import only types of node:http and node:util into a server, because an import loads every part (docs/adr/0083)', () => {
    const values = files
      .filter((file) =>
        /^packages\/(?:administration|outbound|protocol|saml|server|store-sql)\/src\//.test(file),
      )
      .filter((file) => !file.startsWith('packages/server/src/tracing/'))
      .filter((file) => valueImportsOf(file).some((target) => /^node:(?:http|util)$/.test(target)));
    assert.deepEqual(values, []);
  });

  it('do not load the index of prom-client, which loads TLS (docs/adr/0083)', () => {
    const values = files.filter((file) => valueImportsOf(file).includes('prom-client'));
    assert.deepEqual(values, []);
  });

  it('never go into the command line, except from the entry of the server', () => {
    const cli = 'packages/server/src/cli/';
    const upward = files
      .filter((file) => file.startsWith('packages/server/src/') && !file.startsWith(cli))
      .filter((file) => file !== 'packages/server/src/index.ts')
      .flatMap((file) => importsOf(file).filter((target) => target.startsWith(cli)));
    assert.deepEqual(upward, []);
  });

  it('never go from one grant to another', () => {
    const grants = 'packages/protocol/src/grants/';
    const crossing = files
      .filter((file) => file.startsWith(grants) && !file.endsWith('/grant-types.ts'))
      .flatMap((file) =>
        importsOf(file).filter((target) => target.startsWith(grants) && !target.endsWith('/grant-type.ts')),
      );
    assert.deepEqual(crossing, []);
  });

  it('have no circle between files, also none of types', () => {
    const seen = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), `a circle: ${[...path, file].join(' -> ')}`);
      if (seen.has(file)) return;
      seen.add(file);
      for (const target of importsOf(file)) if (files.includes(target)) visit(target, [...path, file]);
    };
    for (const file of files) visit(file, []);
  });

  it('go one way between the rooms of the benchmarks', () => {
    const rooms: Readonly<Record<string, readonly string[]>> = {
      measure: [],
      data: [],
      load: [],
      contestants: ['load', 'measure'],
      rounds: ['contestants', 'load', 'measure'],
      charts: ['measure', 'rounds'],
      suites: ['contestants', 'data', 'load', 'measure', 'rounds'],
    };
    const roomIn = (file: string) => /^bench\/([^/]+)\//.exec(file)?.[1];
    const crossing = globSync('bench/*/**/*.ts', { cwd: root }).flatMap((file) => {
      const room = roomIn(file.replaceAll('\\', '/')) ?? '';
      assert.ok(rooms[room], `bench/${room} is no room`);
      return importsOf(file)
        .map(roomIn)
        .filter((target) => target !== undefined && target !== room && !rooms[room]?.includes(target))
        .map((target) => `${file} imports ${target}`);
    });
    assert.deepEqual(crossing, []);
  });

  it('never go into the test folder of another package', () => {
    const everything = globSync(
      ['packages/*/{src,test}/**/*.{ts,tsx}', 'examples/**/*.ts', '{bench,scripts,test}/**/*.ts'],
      { cwd: root, exclude: ['**/node_modules/**'] },
    ).map((file) => file.replaceAll('\\', '/'));
    assert.ok(everything.length > 500);
    const crossing = everything.flatMap((file) =>
      importsOf(file)
        .filter((target) => !file.startsWith(testFolderOf(target) ?? ''))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(crossing, []);
  });

  it('have a room for every file', () => {
    assert.ok(files.length > 50);
    assert.deepEqual(
      files.filter((file) => !composition.test(file) && roomOf(file) === undefined),
      [],
    );
  });
});

/** The test folder of a file: code for several packages is in a testkit. */
function testFolderOf(file: string): string | undefined {
  return /^(?:packages\/[^/]+\/|examples\/)?test\//.exec(file)?.[0];
}

function isOurs(target: string): boolean {
  return /^(?:packages|examples)\//.test(target);
}

/** The rooms in the tables of ARCHITECTURE.md, each with the rooms that it can import, if not all. */
function documentedArrows(): [string, string[]][] {
  const rooms = new Set(Object.keys(arrows).map(plain));
  let [folder, showsArrows] = ['', false];
  return readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .flatMap((line): [string, string[]][] => {
      if (line.startsWith('#')) folder = /`(packages\/[\w-]+)`/.exec(line)?.[1] ?? '';
      if (/^\| (?:room|place|package|question|page) /.test(line)) showsArrows = line.includes('may import');
      const [, room, targets = ''] = /^\| `([^`]+)` \| (nothing|`[^|]*) \|/.exec(line) ?? [];
      if (room === undefined || !showsArrows) return [];
      const full = (name: string) =>
        folder === '' ? plain(name) : name === '.' ? folder : `${folder}/src/${plain(name)}`;
      const named = [...targets.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
        if (rooms.has(full(name)) || /^examples|\.ts$/.test(name)) return full(name);
        return `packages/${plain(name)}`;
      });
      return [[full(room), named.sort()]];
    });
}

/** The path of a room without the folder `src` of a package, and without a slash at its end. */
function plain(path: string): string {
  return path.replace(/\/(?:src\/?)?$/, '');
}

function isAllowed(file: string, target: string): boolean {
  const room = roomOf(file) ?? '';
  const targetRoom = roomOf(target) ?? target;
  if (room === targetRoom) return true;
  if (freeWithinPackage.has(room) && target.startsWith(room)) return true;
  return (arrows[room] ?? []).some((allowed) => target.startsWith(allowed));
}

function roomOf(file: string): string | undefined {
  return Object.keys(arrows)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

const importPattern =
  /(?:^|\n)(?:import|export)\s(type\s)?(?:[^'"\n;]|\n)*?from\s'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s'([^']+)'/g;

function importsOf(file: string, valuesOnly = false): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(importPattern)]
    .filter(([, type]) => !(valuesOnly && type !== undefined))
    .map(([, , from, dynamic, bare]) => resolveTarget(file, from ?? dynamic ?? bare ?? ''));
}

function valueImportsOf(file: string): string[] {
  return importsOf(file, true);
}

function resolveTarget(file: string, specifier: string): string {
  if (specifier.startsWith('.')) {
    return relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/');
  }
  // `@watchword/resource-server/fastify` is of the package before the second slash.
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return packageOf[name] ?? specifier;
}
