import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

describe('the styles of the administration GUI', () => {
  it('name sides by the direction of the text, apart from those of code, which never changes its own', () => {
    const folder = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = globSync('**/*.css', { cwd: folder }).filter((file) => !file.endsWith('code.css'));
    assert.ok(files.length > 10);
    const found = files.flatMap((file) =>
      readFileSync(`${folder}${file}`, 'utf8')
        .split('\n')
        .filter(isSided)
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });

  function isSided(line: string): boolean {
    const [, name = '', value = ''] = /^\s*([a-z-]+):\s*(.*);$/.exec(line) ?? [];
    const inner = /\([^()]*\)/g;
    const [, right, , left] = value.replaceAll(inner, '').replaceAll(inner, '').split(' ');
    const isShorthand = ['inset', 'margin', 'padding'].includes(name);
    return /(?:^|-)(?:left|right)$/.test(name) || (isShorthand && left !== undefined && left !== right);
  }
});
