import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What can stand in a printed command as it is: words of the program itself. */
const ownWords = /^(group|commandPath\(command\)\.join\(' '\))$/;
const quotedForShell = /^(shellWord|shellCommand|quote)\(/;
const commandWithValue = /\b(?:watchword(?: [a-z-]+)*|curl|export) (?:[\w.=/-]+[ =])*\$\{([^`]*?)\}/g;

describe('commands that are printed for people to paste', () => {
  it('quote each value for the shell', () => {
    const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root });
    const found = files.flatMap((file) =>
      [...readFileSync(`${root}${file}`, 'utf8').matchAll(commandWithValue)].map(
        ([, value = '']) => [file, value] as const,
      ),
    );
    assert.ok(found.length > 5, 'the expression finds commands');
    const bare = found.filter(([, value]) => !quotedForShell.test(value) && !ownWords.test(value));
    assert.deepEqual(bare, []);
  });
});
