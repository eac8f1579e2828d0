// `node test/deploy/render-chart.ts`: renders the chart again, after a change of it. Needs helm.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cases, digestLine, helmTemplate, renderedFile } from './chart.ts';

for (const name of cases) {
  const manifests = execFileSync('helm', helmTemplate(name), { encoding: 'utf8' });
  writeFileSync(renderedFile(name), digestLine(name) + manifests);
}
