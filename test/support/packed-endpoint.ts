import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openBrowser } from '@watchword/testkit/browser';
import { serveBuilder } from './builder-server.ts';
import { installLibraries, type LibraryUser, resolutions } from './library-user.ts';

/** Tests of the packed library; `packed` returns the file of a package. */
export function packedEndpoint(packed: (name: string) => string): void {
  describe('the packed tarball of endpoint', () => {
    let user: LibraryUser;

    before(async () => {
      user = await installLibraries([packed('endpoint')]);
    });
    after(() => user[Symbol.asyncDispose]());

    const USE = "console.log(endpoint('GET /users/{id}', { id: 1 }).url)";

    test('can be imported', () => {
      writeFileSync(user.file('use.mjs'), `import { endpoint } from '@watchword/endpoint'; ${USE}`);
      assert.equal(user.run('use.mjs').trim(), 'https://api.github.com/users/1');
    });

    test('can be required', () => {
      writeFileSync(user.file('use.cjs'), `const { endpoint } = require('@watchword/endpoint'); ${USE}`);
      assert.equal(user.run('use.cjs').trim(), 'https://api.github.com/users/1');
    });

    test('works in a browser, which sends its requests, without a bundler', async () => {
      await using server = await serveBuilder(join(user.path, 'node_modules', '@watchword', 'endpoint'));
      await using browser = await openBrowser();
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${server.baseUrl}/page.html`);
      await page.evaluate(`import('/use-builder.js').then(({ useBuilder }) => useBuilder(location.origin))`);
    });

    for (const [module, moduleResolution, lib] of resolutions) {
      test(`has types with moduleResolution ${moduleResolution} and lib ${lib}`, () => {
        const isWeb = lib.includes('dom');
        writeFileSync(
          user.file('use.mts'),
          `import { createEndpoint, endpoint, type RequestOptions, toFetch } from '@watchword/endpoint';
export const options: RequestOptions = endpoint('GET /users/{id}', { id: 1 });
export const other = createEndpoint({ baseUrl: 'https://a.example' }).defaults({ id: 1 })('/users/{id}');
${isWeb ? 'export const request = new Request(...toFetch(options));' : 'export const [, { body }] = toFetch(options);'}
// @ts-expect-error id is missing
endpoint('GET /users/{id}', {});
`,
        );
        const flags = ['--skipLibCheck', 'false', '--types', ''];
        const args = [
          ...flags,
          '--module',
          module,
          '--moduleResolution',
          moduleResolution,
          '--lib',
          lib,
          'use.mts',
        ];
        assert.equal(user.compile(...args), '');
      });
    }
  });
}
