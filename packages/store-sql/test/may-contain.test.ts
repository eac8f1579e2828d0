import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buildAccount } from '@watchword/testkit';
import fc from 'fast-check';
import { testDatabase } from './support/test-database.ts';

const isAscii = (text: string) => /^[ -~]*$/.test(text);

it('a search in SQL leaves out exactly the ASCII rows without its text, and no other row', async () => {
  await using database = await testDatabase();
  const { accounts, transact } = await database.openServer();
  const text = fc.string({ unit: fc.constantFrom(...'aAbB%_!\'ßÉé"\\'), minLength: 1, maxLength: 4 });
  const names = [...new Set(fc.sample(text, { numRuns: 300, seed: 1 }))];
  await transact(async (stores) => {
    for (const name of names) {
      await stores.accounts.create(buildAccount({ username: name, displayName: '', groups: [] }));
    }
  });
  for (const wanted of [...new Set(fc.sample(text, { numRuns: 60, seed: 2 }))]) {
    const searched = wanted.toLowerCase();
    const found = await accounts.list({ mayContain: searched, limit: 1000 });
    const expected = names.filter(
      (name) => /["\\]/.test(searched) || !isAscii(name) || name.toLowerCase().includes(searched),
    );
    assert.deepEqual(found.map(({ username }) => username).toSorted(), expected.toSorted(), searched);
  }
});
