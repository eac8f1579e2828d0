import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { breachedEntry, entryBytes, isBreached } from '../src/passwords/breached-passwords.ts';
import { leastPasswordCharacters, passwordFault } from '../src/passwords/password-rules.ts';

const emma = { username: 'emma.jansen', displayName: 'Emma Jansen', email: 'em.jans-en@example.org' };
const faultOf = (password: string, owner = {}) => passwordFault(password, { ...emma, ...owner });

describe('a new password', () => {
  it('has 15 characters, or 8 beside a second factor', () => {
    assert.deepEqual([leastPasswordCharacters(), leastPasswordCharacters(true)], [15, 8]);
    assert.deepEqual([faultOf('kzqvmwtjhrplxd'), faultOf('kzqvmwtjhrplxdb')], ['short', undefined]);
    const beside = { leastCharacters: leastPasswordCharacters(true) };
    assert.deepEqual([faultOf('kzqvmwt', beside), faultOf('kzqvmwtj', beside)], ['short', undefined]);
  });

  it('needs no kind of characters', () => {
    for (const password of ['kzqvmwtjhrplxdb', 'KZQVMWTJHRPLXDB', '802913746509281', '-- -- -- -- -- --']) {
      assert.equal(faultOf(password), undefined, password);
    }
  });

  it('is none that was in breaches, in small or capital letters, or in other forms of the same characters', () => {
    for (const password of [
      '123456789123456789',
      'passwordpassword',
      'PasswordPassword',
      'ｐａｓｓｗｏｒｄpassword',
    ]) {
      assert.equal(faultOf(password), 'breached', password);
    }
    assert.equal(faultOf('passwordpassword and more'), undefined);
  });

  it('is not made of the names of its user or of the product, whatever is around them', () => {
    for (const password of [
      'emma.jansen.2026',
      'EMMA-JANSEN-1234567',
      'JansenEmmaJansen',
      'emjansen!emjansen',
      'watchword-emma-1',
      'Acme Portal 2026!',
      'xyzzyemmajansen',
    ]) {
      assert.equal(faultOf(password, { productName: 'Acme Portal' }), 'names', password);
    }
    for (const password of ['emma likes riding horses', '802913746509281', 'portals to elsewhere']) {
      assert.equal(faultOf(password, { productName: 'Acme Portal' }), undefined, password);
    }
  });

  it('can hold a short part of a name, which is in many words', () => {
    assert.equal(faultOf('al al al al al al', { username: 'al', displayName: 'Al' }), undefined);
  });
});

describe('the list of breached passwords', () => {
  const list = readFileSync(new URL('../data/breached-passwords.bin', import.meta.url));
  const entries = Array.from({ length: list.length / entryBytes }, (_, index) =>
    list.subarray(index * entryBytes, (index + 1) * entryBytes),
  );

  it('has 100,000 entries in their order, in half a megabyte', () => {
    assert.deepEqual([entries.length, list.length], [100_000, 500_000]);
    assert.ok(
      entries.every((entry, index) => index === 0 || Buffer.compare(entries[index - 1] ?? entry, entry) < 0),
    );
  });

  it('names a password by the digest of its small letters', () => {
    assert.equal(breachedEntry('A').compare(breachedEntry('a')), 0);
    assert.ok(isBreached('1QAZ2wsx3edc4rfv') && !isBreached('kzqvmwtjhrplxdb'));
  });
});
