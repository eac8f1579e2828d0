import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { parseBasicCredentials } from '../../src/clients/authentication/client-secret-basic.ts';

const idAndSecret = { id: 'id', proof: 'secret' };

describe('HTTP Basic credentials', () => {
  it('are identifier and secret in base64', () => {
    assert.deepEqual(parseBasicCredentials(basic('id:secret')), idAndSecret);
  });

  it('have a scheme in any case, and one space or more after it', () => {
    const encoded = basic('id:secret').slice('Basic '.length);
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      assert.deepEqual(parseBasicCredentials(`${scheme} ${encoded}`), idAndSecret);
    }
    assert.deepEqual(parseBasicCredentials(`Basic   ${encoded}`), idAndSecret);
  });

  it('split at the first colon', () => {
    assert.deepEqual(parseBasicCredentials(basic('id:a:b:')), { id: 'id', proof: 'a:b:' });
  });

  it('are percent-decoded, identifier and secret each for itself', () => {
    assert.deepEqual(parseBasicCredentials(basic('a%3Ab+c:%2B%25%C3%A9')), { id: 'a:b c', proof: '+%é' });
    assert.deepEqual(parseBasicCredentials(basic('ü:ß')), { id: 'ü', proof: 'ß' });
  });

  it('can have an empty secret (RFC 6749 §2.3.1)', () => {
    assert.deepEqual(parseBasicCredentials(basic('id:')), { id: 'id', proof: '' });
  });

  const bytes = (...values: number[]) => `Basic ${Buffer.from(values).toString('base64')}`;
  const malformed = {
    'no header text': '',
    'a bare scheme': 'Basic',
    'a scheme with a space': 'Basic ',
    'another scheme': basic('id:secret').replace('Basic', 'Bearer'),
    'a longer scheme name': basic('id:secret').replace('Basic', 'Basics'),
    'a scheme that only ends so': basic('id:secret').replace('Basic', 'xBasic'),
    'no space after the scheme': basic('id:secret').replace(' ', ''),
    'a tab after the scheme': basic('id:secret').replace(' ', '\t'),
    'text that is not base64': 'Basic id:secret',
    base64url: basic('>>>:secret').replace('+', '-'),
    'two credentials': `${basic('id:secret')}, ${basic('id:secret')}`,
    'trailing text': `${basic('id:secret')} x`,
    'a line end': `${basic('id:secret')}\n`,
    'too much padding': 'Basic aWQ6cw====',
    'no colon': basic('idsecret'),
    'an empty identifier': basic(':secret'),
    'only a colon': basic(':'),
    'broken percent-encoding': basic('id:100%'),
    'an encoded colon alone': basic('id%3Asecret'),
    'percent-encoded invalid UTF-8': basic('id:%FF'),
    'invalid UTF-8': bytes(0x69, 0x3a, 0xff),
    'an encoded surrogate': bytes(0x69, 0x3a, 0xed, 0xa0, 0x80),
    'a raw NUL': basic('id:sec\0ret'),
    'an encoded NUL': basic('i%00d:secret'),
  };
  for (const [what, header] of Object.entries(malformed)) {
    it(`are none with ${what}`, () => {
      assert.equal(parseBasicCredentials(header), undefined);
    });
  }

  it('are read as any client encodes them', () => {
    const part = anyText({ minLength: 1 }).filter((text) => text.isWellFormed() && !text.includes('\0'));
    fc.assert(
      fc.property(part, part, (id, proof) => {
        const header = basic(`${encodeURIComponent(id)}:${encodeURIComponent(proof)}`);
        assert.deepEqual(parseBasicCredentials(header), { id, proof });
      }),
    );
  });

  it('never make the reader throw', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        parseBasicCredentials(text);
        parseBasicCredentials(`Basic ${text}`);
        parseBasicCredentials(basic(text));
      }),
    );
  });
});
