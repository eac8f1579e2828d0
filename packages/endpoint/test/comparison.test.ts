import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readmeWithTables } from './support/readme-tables.ts';

test('the README compares the package with others by what runs and what was measured', async () => {
  const { found, expected } = await readmeWithTables();
  assert.equal(
    found,
    expected,
    'npm run tables -w packages/endpoint (times: npm run bench -- --save endpoint)',
  );
});
