import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configurationSchema } from '@watchword/administration';
import { build } from 'vitepress';
import { root } from './contents.ts';
import { withDrawings } from './diagrams.ts';
import { sitePages } from './site.ts';

/** The folder of VitePress's configuration. */
export const docs = join(root, 'docs');
/** Where VitePress reads the pages. Git ignores it. */
const folder = join(root, 'artifacts/docs/pages');

/** Builds the site in `artifacts/docs/site`. @throws Error for a link that leads nowhere */
export async function buildSite(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await writePages();
  await build(docs);
}

/** Writes the pages that have changed, and the files that they show. */
export async function writePages(): Promise<void> {
  await cp(join(docs, 'pictures'), join(folder, 'public/pictures'), { recursive: true });
  await cp(join(root, 'packages/server/assets/watchword.svg'), join(folder, 'public/watchword.svg'));
  // Editors read it from here, by the address in a comment of the file.
  const schema = JSON.stringify(configurationSchema(), undefined, 2);
  await writeFile(join(folder, 'public/configuration.schema.json'), schema);
  for (const { route, text: markdown } of await sitePages(process.env.DOCS_SOURCE_URL)) {
    const text = withDrawings(markdown);
    const file = join(folder, `${route}.md`);
    // A file that is written again makes the browser load the page again.
    if (text === (await readFile(file, 'utf8').catch(() => undefined))) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
