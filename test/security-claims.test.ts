import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operatorClaims, securityClaims } from './support/security-claims.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');

describe('SECURITY.md', () => {
  it('has the tests of each paragraph of its properties in the table of this test', () => {
    const [, properties = ''] = /^## Security properties$([\s\S]*?)^## /m.exec(read('SECURITY.md')) ?? [];
    const leads = [...properties.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, lead]) => lead);
    assert.ok(leads.length > 20);
    assert.deepEqual(leads.toSorted(), Object.keys(securityClaims).toSorted());
    for (const [lead, tests] of Object.entries(securityClaims)) assert.ok(tests.length > 0, lead);
  });

  it('has the tests of each point for operators there', () => {
    const [, part = ''] = /^## Your part$([\s\S]*)/m.exec(read('SECURITY.md')) ?? [];
    const points = [...part.matchAll(/^- (.*)/gm)].map(([, text = '']) => text);
    const beginnings = Object.keys(operatorClaims);
    assert.equal(points.length, beginnings.length);
    for (const [index, beginning] of beginnings.entries())
      assert.ok(points[index]?.startsWith(beginning), `${beginning}: ${points[index]}`);
  });

  for (const [lead, tests] of Object.entries({ ...securityClaims, ...operatorClaims })) {
    it(`names tests that exist: ${lead}`, () => {
      for (const [file, ...names] of tests) {
        assert.ok(existsSync(`${root}${file}`), `${file} does not exist`);
        const text = read(file);
        for (const name of names) {
          const isTest = ["'", '`', '"'].some((quote) => text.includes(`${quote}${name}`));
          assert.ok(isTest, `${file} has no test "${name}"`);
        }
      }
    });
  }
});

/** Two values that were read from the database at different times, and cursors, which are public. */
const comparable =
  /passwordHash === (?:before\.passwordHash|hash)\b|secret !== server\.secret|cursor\.digest/;

describe('secrets, digests and verifiers', () => {
  it('are compared in constant time', () => {
    const files = globSync(['packages/{protocol,server}/src/**/*.ts'], { cwd: root });
    const compared =
      /\b\w*(?:[hH]ash|[dD]igest|[vV]erifier|[sS]ecret|[tT]ag) *[!=]== *(?!undefined|null|true|false)[a-z]\w*/;
    const found = files.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => compared.test(line) && !comparable.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });
});
