import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonPattern } from '../../src/records/record-metadata.ts';

const members = { text: '', flag: true, kept: false, number: 0, texts: [] as string[], map: {} };
const pattern = jsonPattern(Object.entries(members), { kept: true });

function written(values: Partial<typeof members> = {}): string {
  return JSON.stringify({ ...members, kept: true, ...values });
}

describe('the pattern of JSON', () => {
  it('matches what JSON.stringify makes of values of the same kinds', () => {
    for (const values of [
      {},
      { text: 'ä €𐐷 {[:,]}' },
      { flag: false },
      { number: -3600 },
      { texts: ['a'] },
      { texts: ['a', '', 'b'] },
      { map: { a: 'b' } },
      { map: { a: 'b', c: '' } },
    ]) {
      assert.match(written(values), pattern);
    }
  });

  it('does not match another value of an exact member, or other members', () => {
    const { text: _, ...others } = members;
    const texts = [
      written({ kept: false }),
      JSON.stringify({ ...others, kept: true }),
      JSON.stringify({ ...others, kept: true, text: '' }),
      written().replace('}}', '},"more":""}'),
    ];
    for (const text of texts) assert.doesNotMatch(text, pattern);
  });

  it('matches no text that JSON.parse refuses or reads as other members, whatever is lost or put in', () => {
    const whole = written({ text: 'x', number: 10, texts: ['a', 'b'], map: { a: 'b', c: 'd' } });
    const parts = [
      '',
      '"',
      '\\',
      '\\"',
      '\n',
      '\u0000',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '-',
      '.',
      'e',
      ' ',
      'null',
    ];
    let matches = 0;
    for (let from = 0; from <= whole.length; from += 1) {
      for (const part of parts) {
        for (const to of [from, from + 1, from + 2, whole.length]) {
          const text = whole.slice(0, from) + part + whole.slice(to);
          if (!pattern.test(text)) continue;
          matches += 1;
          assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(members), text);
        }
      }
    }
    assert.ok(matches > 100);
  });
});
