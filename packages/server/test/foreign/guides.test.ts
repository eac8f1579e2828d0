import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { guidedClient } from '../support/guided-site.ts';

const folder = fileURLToPath(new URL('../../../../docs/guides/log-users-in', import.meta.url));
const pages = globSync('*.md', { cwd: folder }).filter((page) => page !== 'README.md');

describe('the guides to logins of products', () => {
  it('are all in the index', () => {
    const index = readFileSync(`${folder}/README.md`, 'utf8');
    assert.ok(pages.length > 0);
    assert.deepEqual(
      pages.filter((page) => !index.includes(`](${basename(page)})`)),
      [],
    );
  });

  for (const page of pages) {
    it(`${page} registers a client with the id that its settings have`, async () => {
      await using client = await guidedClient(`log-users-in/${page}`);
      const text = readFileSync(`${folder}/${page}`, 'utf8');
      const ids = [
        ...text.matchAll(
          /(?:client[-_]?id|OIDCClientID|--key|AUTH_WATCHWORD_ID)["']?\s*[:= ]\s*["']?([\w-]+)/gi,
        ),
      ].map(([, id]) => id);
      assert.ok(ids.length > 0);
      assert.deepEqual([...new Set(ids)], [client.clientId]);
    });
  }
});
