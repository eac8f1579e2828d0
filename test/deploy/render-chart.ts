// `node test/deploy/render-chart.ts`: renders the chart again, after a change of it. Needs helm. With `--digests`, only the digests are made
// again: the manifests were corrected already, as for a new version.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cases, digestLine, helmTemplate, renderedFile } from './chart.ts';

for (const name of cases) {
  const manifests = process.argv.includes('--digests')
    ? readFileSync(renderedFile(name), 'utf8').replace(/^.*\n/, '')
    : execFileSync('helm', helmTemplate(name), { encoding: 'utf8' });
  writeFileSync(renderedFile(name), digestLine(name) + manifests);
}
