import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { protocolErrors } from '../../src/model/errors/error-table.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const text = files.map((name) => readFileSync(join(source, name), 'utf8')).join('\n');

test('every error that the rules throw is in the table', () => {
  const thrown = [...text.matchAll(/new (?:OAuth|Redirectable)Error\(\s*'(\w+)'/g)].map(
    ([, kind = '']) => kind,
  );
  assert.ok(thrown.length > 20);
  for (const kind of thrown) assert.ok(Object.hasOwn(protocolErrors, kind), kind);
});

test('every text that replaces a default is ASCII without quote and backslash', () => {
  const descriptions = [...text.matchAll(/description:\s*(?:'([^'\n]*)'|`([^`\n]*)`)/g)];
  assert.ok(descriptions.length > 30);
  for (const [, quoted, template] of descriptions) {
    assert.match(quoted ?? template ?? '', /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  }
});
