import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { duration, fill } from '../src/texts/format.ts';
import { setTexts, t } from '../src/texts/texts.ts';
import { speak } from './support/tables.ts';

describe('a text', () => {
  it('has its values in the places of their names, and keeps a placeholder without a value', () => {
    assert.equal(fill('{b} and {a}: {c}', { a: '$&', b: '{a}' }, 'en'), '{a} and $&: {c}');
  });

  it('has numbers as its language writes them', () => {
    assert.equal(fill('{n}', { n: 1234.5 }, 'de'), '1.234,5');
    assert.equal(fill('{n}', { n: 1234.5 }, 'en'), '1,234.5');
  });

  it('has the plural form of the number in its language, or the form for all others', () => {
    const polish = '{n:plural|one=# klient|few=# klienci|many=# klientów|other=# klienta}';
    const counted = [1, 2, 5, 22, 1.5].map((n) => fill(polish, { n }, 'pl'));
    assert.deepEqual(counted, ['1 klient', '2 klienci', '5 klientów', '22 klienci', '1,5 klienta']);
    assert.equal(fill('{n:plural|other=# x}', { n: 1 }, 'en'), '1 x');
    assert.equal(fill('{n:plural|one=no number|other=#}', { n: 1 }, 'en'), 'no number');
  });

  it('has durations in words, in the two largest units', () => {
    assert.equal(fill('after {s:duration}', { s: 5400 }, 'en'), 'after 1 hour 30 minutes');
    assert.equal(duration(90_061, 'de'), '1 Tag 1 Stunde');
    assert.equal(duration(0, 'nl'), '0 seconden');
    assert.equal(duration(3600, 'en', 'short'), '1 hr');
  });

  it('isolates names in a language that is written from right to left', () => {
    const table = { 'server.registered': '{name} רשום' };
    setTexts({ language: 'he', direction: 'rtl', table });
    try {
      assert.equal(t('server.registered', { name: 'Orders' }), '\u2068Orders\u2069 רשום');
    } finally {
      speak('en');
    }
  });
});
