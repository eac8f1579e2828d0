import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientFields, resourceServerFields } from '@watchword/protocol';
import { startServer, type TestServer } from '@watchword/server-testkit/server';
import { clientLabels, resourceServerLabels } from '../src/index.ts';
import { recordFields } from './support/record-fields.ts';
import { recordTypes, type Schemas } from './support/record-types.ts';

interface Description {
  readonly components: { readonly schemas: Schemas };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const source = new URL('../src/', import.meta.url);

/** Alternative methods of the protocol, which this client does not use. */
const otherForms = [
  'putResourceServerIntoList',
  'postResourceServer',
  'putClientIntoList',
  'postClient',
  'replaceAccessToken',
  'replaceAccount',
];

describe('the administration client and the OpenAPI description', () => {
  let server: TestServer;
  let description: Description;
  before(async () => {
    server = await startServer();
    description = (await server.get('/admin/openapi.json')).json;
  });
  after(() => server[Symbol.asyncDispose]());

  it('have the same records; after a change: npm run records -w packages/admin-client', (test) => {
    const { Error: _, ...schemas } = description.components.schemas;
    const file = fileURLToPath(new URL('records.ts', source));
    test.assert.fileSnapshot(recordTypes(schemas), file, { serializers: [String] });
  });

  it('have the same defaults and labels; after a change: npm run records -w packages/admin-client', (test) => {
    const tables = { Client: clientFields, ResourceServer: resourceServerFields };
    const file = fileURLToPath(new URL('record-fields.ts', source));
    test.assert.fileSnapshot(recordFields(tables), file, { serializers: [String] });
  });

  it('have a label for each field that a request sets', () => {
    for (const labels of [clientLabels, resourceServerLabels]) {
      for (const [name, label] of Object.entries(labels)) assert.notEqual(label, '', name);
    }
  });

  it('have the same endpoints, each with its usual method', () => {
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => !otherForms.includes(operationId))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual([...routes()].toSorted(), described.toSorted());
  });
});

/** Every route in the source, without the parameters of its query. */
function routes(): Set<string> {
  const texts = readdirSync(source).map((name) => readFileSync(new URL(name, source), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/endpoint\(\s*'([^']+)'/g)].map(([, route = '']) => route.replace(/\{\?.*/, '')),
    ),
  );
}
