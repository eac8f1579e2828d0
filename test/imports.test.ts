import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/**
 * The rooms that each room can import, beside itself, by the tables of ARCHITECTURE.md. A room is a package, an example, or a folder or
 * file within one; the longest name that matches a file is its room. Imports of types follow the same rule.
 */
const arrows = documentedArrows();

/** The rooms within a package that may import those after them only. */
const floors = documentedFloors();

/** Rooms that can import any room of their package. */
const freeWithinPackage = new Set(['packages/server/src']);

/** Can import every room: the file that composes the server, and the entries above it. */
const composition = /^packages\/server\/src\/(?:compose|shutdown|demo|index)\.ts$/;

const packageOf: Readonly<Record<string, string>> = Object.fromEntries(
  globSync('packages/*/package.json', { cwd: root }).map((file) => [
    JSON.parse(readFileSync(join(root, file), 'utf8')).name,
    dirname(file),
  ]),
);

const files = filesOf('packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts', 'examples/demo/*.ts');

describe('folders', () => {
  it('have at most thirty files, but that of the migrations', () => {
    const counts = Map.groupBy(
      globSync('{packages/*,scripts,bench,test,examples/*}/**/*.{ts,tsx}', {
        cwd: root,
        exclude: ['**/{node_modules,dist}/**'],
      }),
      (file) => dirname(file),
    );
    const large = [...counts].filter(([, files]) => files.length > 30).map(([folder]) => folder);
    assert.deepEqual(large, ['packages/store-sql/src/schema/migrations']);
  });
});

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

  it('go down the rooms that ARCHITECTURE.md has from the top down', () => {
    for (const [home, rooms] of floors) {
      const floorOf = (file: string) => rooms.indexOf(roomAmong(rooms, file) ?? '');
      const inside = filesOf(`${home}/**/*.{ts,tsx}`).filter((file) => !file.endsWith('.d.ts'));
      const upward = inside.flatMap((file) =>
        importsOf(file)
          .filter((target) => inside.includes(target) && floorOf(target) < floorOf(file))
          .map((target) => `${file} imports ${target}`),
      );
      assert.deepEqual(upward, []);
      const lived = new Set(inside.map((file) => roomAmong(rooms, file)));
      assert.deepEqual([...lived].sort(), rooms.toSorted(), home);
    }
    assert.ok(floors.size > 2, `expected the rooms of several packages, found ${[...floors.keys()]}`);
  });

  it('bring no dependency into the protocol, no framework into the store, no driver into HTTP', () => {
    for (const [room, allowed] of [
      ['packages/endpoint/', /^$/],
      ['packages/outbound/', /^node:/],
      ['packages/mail/', /^nodemailer$/],
      ['packages/passkeys/', /^node:crypto$|^cborg$/],
      ['packages/proofs/', /^jose\/[\w/]+$/],
      ['packages/protocol/', /^node:(?:crypto|zlib|buffer)$/],
      // Its list of breached passwords, and the codes of RFC 6238.
      ['packages/accounts/', /^node:(?:crypto|fs)$|^qr$/],
      ['packages/store-sql/', /^node:|^kysely|^pg$|^#empty-database$/],
      ['packages/administration/', /^node:buffer$|^valibot$/],
      ['packages/server/src/config/', /^node:(?:fs\/promises|net|path)$|^valibot$|^yaml$/],
      ['packages/saml/', /^node:|^@node-saml\/node-saml$|^saxes$|^xml-crypto$|^xml-encryption$/],
      ['packages/upstream/', /^node:(?:crypto|fs)$|^jose$/],
      [
        'packages/server/src/http/',
        /^node:(?:async_hooks|buffer|crypto|events|http|net|zlib)$|^find-my-way$|^@fastify\/proxy-addr$|^cookie$/,
      ],
      [
        'packages/server/src/core/',
        /^node:(?:buffer|crypto|fs|fs\/promises|net|os|path|url|util|worker_threads)$|^mmdb-lib$/,
      ],
      ['packages/server/src/pages/', /^node:(?:crypto|fs|module|path|url|vm)$|^eta$|^postcss$/],
      ['packages/server/src/modules/', /^node:(?:crypto|events|module|path|url|worker_threads)$|^valibot$/],
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
      ['packages/test-server/', /^node:(?:async_hooks|crypto|http|stream\/consumers)$/],
      ['examples/resource-server/', /^(?:node:sqlite|fastify|@fastify\/cors)$/],
      ['examples/client-app/', /^node:(?:fs|http|net)$/],
      [
        'examples/mcp-server/',
        /^node:(?:crypto|events|http|net)$|^@modelcontextprotocol\/sdk\/|^express$|^zod$/,
      ],
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
        /^packages\/(?:cli|doctor|server|saml|store-sql|upstream)\/src\//.test(file) &&
        readers.test(readFileSync(join(root, file), 'utf8')),
    );
    // These read files of their package.
    assert.deepEqual(found.sort(), [
      'packages/saml/src/saml-module.ts',
      'packages/server/src/console/files.ts',
      'packages/server/src/pages/texts/locales.ts',
      'packages/server/src/version.ts',
      'packages/upstream/src/oidc-module.ts',
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
        /^packages\/(?:accounts|administration|cli|doctor|mail|outbound|passkeys|protocol|saml|server|store-sql|upstream)\/src\//.test(
          file,
        ),
      )
      .filter((file) => !file.startsWith('packages/server/src/tracing/'))
      .filter((file) => valueImportsOf(file).some((target) => /^node:(?:http|util)$/.test(target)));
    assert.deepEqual(values, []);
  });

  it('do not load the index of prom-client, which loads TLS (docs/adr/0083)', () => {
    const values = files.filter((file) => valueImportsOf(file).includes('prom-client'));
    assert.deepEqual(values, []);
  });

  it('never go from the server into its command', () => {
    const upward = files
      .filter((file) => file.startsWith('packages/server/src/'))
      .flatMap((file) => importsOf(file).filter((target) => /^packages\/(?:cli|doctor)\b/.test(target)));
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

  it('never go into the test folder of another package', () => {
    const everything = filesOf(
      'packages/*/{src,test}/**/*.{ts,tsx}',
      'examples/**/*.ts',
      '{bench,scripts,test}/**/*.ts',
    );
    assert.ok(everything.length > 500);
    const crossing = everything.flatMap((file) =>
      importsOf(file)
        .filter((target) => !file.startsWith(testFolderOf(target) ?? ''))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(crossing, []);
  });

  it('are drawn in ARCHITECTURE.md with every package but the testkits', () => {
    const picture = /## The picture\n\n```mermaid\n(.*?)```/s.exec(architecture)?.[1] ?? '';
    const missing = Object.values(packageOf).filter(
      (folder) => !/testkit$/.test(folder) && !picture.includes(`"${folder}"`),
    );
    assert.deepEqual(missing, []);
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

function filesOf(...patterns: readonly string[]): string[] {
  const found = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map((file) => file.replaceAll('\\', '/'));
}

function isOurs(target: string): boolean {
  return /^(?:packages|examples)\//.test(target);
}

function documentedArrows(): ReadonlyMap<string, readonly string[]> {
  let [home, showsArrows] = ['', false];
  const found = new Map<string, readonly string[]>();
  for (const line of architecture.split('\n')) {
    if (line.startsWith('#')) home = /`(packages\/[\w-]+)`/.exec(line)?.[1] ?? '';
    if (/^\| \w/.test(line)) showsArrows = line.includes('may import');
    const [, room, targets = ''] = /^\| `([^`]+)` \| (nothing|`[^|]*) \|/.exec(line) ?? [];
    if (room === undefined || !showsArrows) continue;
    const named = [...targets.matchAll(/`([^`]+)`/g)].map(([, name = '']) => pathOf(name, home));
    found.set(pathOf(room, home), named);
  }
  return found;
}

function documentedFloors(): ReadonlyMap<string, readonly string[]> {
  const [, rows = ''] = /^\| folder \| .* from the top down \|\n.*\n((?:\|.*\n)+)/m.exec(architecture) ?? [];
  return new Map(
    rows
      .trim()
      .split('\n')
      .map((row) => {
        const [home = '', ...rooms] = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
        const source = home.startsWith('packages/') ? `${home}/src` : home;
        return [source, rooms.map((room) => plain(join(source, room)))];
      }),
  );
}

/** The path that a table means by a name: within the package of its section, of another package, or from the root. */
function pathOf(name: string, home: string): string {
  const places = [...(home === '' ? [] : [`${home}/src`]), 'packages', '.'];
  const place = places.find((each) => existsSync(join(root, each, name)));
  assert.ok(place !== undefined, `ARCHITECTURE.md names ${name}, which is nowhere`);
  return plain(join(place, name));
}

/** The path of a folder without a slash at its end. */
function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/$/, '');
}

function isAllowed(file: string, target: string): boolean {
  const room = roomOf(file) ?? '';
  const targetRoom = roomOf(target) ?? target;
  if (room === targetRoom) return true;
  if (freeWithinPackage.has(room) && target.startsWith(room)) return true;
  return (arrows.get(room) ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

function roomOf(file: string): string | undefined {
  return roomAmong([...arrows.keys()], file);
}

function roomAmong(rooms: readonly string[], file: string): string | undefined {
  return rooms
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

const importPattern =
  /(?:^|\n)(?:import|export)\s(type\s)?(?:[^'"\n;]|\n)*?from\s'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s'([^']+)'/g;

interface Import {
  readonly target: string;
  readonly isOfTypes: boolean;
}

const read = new Map<string, readonly Import[]>();

function readImports(file: string): readonly Import[] {
  const known = read.get(file);
  if (known !== undefined) return known;
  const found = [...readFileSync(join(root, file), 'utf8').matchAll(importPattern)].map(
    ([, type, from, dynamic, bare]) => ({
      target: resolveTarget(file, from ?? dynamic ?? bare ?? ''),
      isOfTypes: type !== undefined,
    }),
  );
  read.set(file, found);
  return found;
}

function importsOf(file: string): string[] {
  return readImports(file).map(({ target }) => target);
}

function valueImportsOf(file: string): string[] {
  return readImports(file)
    .filter(({ isOfTypes }) => !isOfTypes)
    .map(({ target }) => target);
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
