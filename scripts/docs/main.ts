import { watch } from 'node:fs';
import { join } from 'node:path';
import { createServer, serve } from 'vitepress';
import { buildSite, docs, writePages } from './build.ts';
import { root } from './contents.ts';

// `npm run docs`, `npm run docs:build` and `npm run docs:serve`.
const commands = { dev, build: buildSite, serve: () => serve({ root: docs }) };
const name = process.argv[2] ?? 'dev';
if (!(name in commands)) throw new Error(`expected dev, build or serve, got ${name}`);
await commands[name as keyof typeof commands]();

/** Serves the site, and writes the pages again when a document changes. */
async function dev(): Promise<void> {
  await writePages();
  const server = await createServer(docs);
  await server.listen();
  server.printUrls();
  for (const place of ['docs', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']) {
    watch(join(root, place), { recursive: true }, () => {
      writePages().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
    });
  }
}
