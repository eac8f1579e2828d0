import type { ContestantResult, SuiteResult } from '../rounds/results.ts';
import { grouped } from './figures.ts';

const width = 760;
const labels = 210;
const figures = 190;
const rowHeight = 24;
const titleHeight = 44;
const bars = width - labels - figures;

/**
 * A bar for the median of each contestant, with a line for its range, for each benchmark. Plain SVG, which follows the
 * colour scheme of the reader.
 */
export function chart(results: readonly SuiteResult[]): string {
  const panels: string[] = [];
  let top = 0;
  for (const result of results) {
    panels.push(panel(result, top));
    top += titleHeight + result.contestants.length * rowHeight;
  }
  const height = top + 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Watchword beside other servers</title>
<desc id="description">${text(results.map(described).join(' '))}</desc>
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.heading { font-weight: 600; font-size: 15px; }
.bar { fill: #8c959f; }
.own { fill: #0969da; }
.range { stroke: #24292f; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.bar { fill: #6e7681; }
.own { fill: #4493f8; }
.range { stroke: #e6edf3; }
}
</style>
${panels.join('\n')}
</svg>
`;
}

function panel({ title, operation, contestants }: SuiteResult, top: number): string {
  const most = Math.max(...contestants.map(({ perSecond }) => perSecond.most));
  const heading = `<text class="heading" x="8" y="${top + 28}">${text(title)}, ${operation}s a second</text>`;
  const rows = contestants.map((contestant, index) =>
    row(contestant, top + titleHeight + index * rowHeight, bars / most),
  );
  return [heading, ...rows].join('\n');
}

function row({ name, perSecond, processor }: ContestantResult, y: number, scale: number): string {
  const at = (value: number) => (labels + value * scale).toFixed(1);
  const kind = name === 'Watchword' ? 'own' : 'bar';
  const [least, most] = [at(perSecond.least), at(perSecond.most)];
  const middle = y + rowHeight / 2 - 3;
  return [
    `<text x="${labels - 8}" y="${y + 13}" text-anchor="end">${text(name)}</text>`,
    `<rect class="${kind}" x="${labels}" y="${y}" width="${(perSecond.median * scale).toFixed(1)}" height="${rowHeight - 6}"/>`,
    `<line class="range" x1="${least}" x2="${most}" y1="${middle}" y2="${middle}"/>`,
    `<text x="${width - figures + 12}" y="${y + 13}">${grouped(perSecond.median)}, ${processor.server.median.toFixed(0)} us of processor</text>`,
  ].join('\n');
}

function described({ title, operation, contestants }: SuiteResult): string {
  const rates = contestants.map(({ name, perSecond }) => `${name} ${grouped(perSecond.median)}`);
  return `${title}, ${operation}s a second: ${rates.join(', ')}.`;
}

function text(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
