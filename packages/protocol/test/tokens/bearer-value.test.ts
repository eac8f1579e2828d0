import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { seededRandom } from '@watchword/testkit';
import { anyText } from '@watchword/testkit/any-text';
import fc from 'fast-check';
import { createBearerValue, parseBearerValue } from '../../src/tokens/bearer-value.ts';

const now = Date.UTC(2026, 0, 1);
const create = (seed = 'bearer', at = now) => createBearerValue('access', at, seededRandom(seed));
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function withChecksum(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return body + bytes.toString('base64url');
}

describe('a bearer value', () => {
  it('is a prefix, 48 bytes and a checksum, fit for a URL', () => {
    assert.match(create().value, /^wwa_[A-Za-z0-9_-]{70}$/);
  });

  it('is read back to its id and the digest of its verifier', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 2 ** 47 }), (seed, at) => {
        const { value, id, verifierHash } = create(seed, at);
        assert.deepEqual(parseBearerValue('access', value), { id, verifierHash });
      }),
    );
  });

  it('has a verifier of 256 random bits, of which the digest is SHA-256', () => {
    const { value, verifierHash } = create();
    const verifier = Buffer.from(value.slice(4, 68), 'base64url').subarray(16);
    const expected = Buffer.alloc(48);
    seededRandom('bearer').fill(expected);
    assert.deepEqual(verifier, expected.subarray(16));
    assert.deepEqual(Buffer.from(verifierHash), createHash('sha256').update(verifier).digest());
  });

  it('has an id that is a UUIDv7 of the time of issue', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 2 ** 48 - 1 }), (seed, at) => {
        const { id } = create(seed, at);
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), at);
      }),
    );
  });

  it('has an id that orders it by the time of issue', () => {
    const times = [0, 1, 255, 256, 2 ** 40, now - 1, now, now + 1, 2 ** 47];
    const ids = times.map((at) => create(String(at), at).id);
    assert.deepEqual(ids.toSorted(), ids);
  });

  it('differs from every other value of the same time', () => {
    const random = seededRandom();
    const values = Array.from({ length: 1000 }, () => createBearerValue('access', now, random));
    assert.equal(new Set(values.map(({ value }) => value)).size, 1000);
    assert.equal(new Set(values.map(({ id }) => id)).size, 1000);
  });

  it('is rejected with any single character changed', () => {
    const { value } = create();
    for (let at = 0; at < value.length; at += 1) {
      for (const other of base64url) {
        if (other === value[at]) continue;
        const changed = value.slice(0, at) + other + value.slice(at + 1);
        assert.equal(parseBearerValue('access', changed), undefined, changed);
      }
    }
  });

  it('is rejected with two neighbours swapped', () => {
    const { value } = create();
    for (let at = 0; at < value.length - 1; at += 1) {
      const [a = '', b = ''] = [value[at], value[at + 1]];
      if (a === b) continue;
      const swapped = value.slice(0, at) + b + a + value.slice(at + 2);
      assert.equal(parseBearerValue('access', swapped), undefined, swapped);
    }
  });

  it('is rejected when it is shorter, longer, padded or surrounded', () => {
    const { value } = create();
    const others = [
      '',
      'wwa_',
      value.slice(0, -1),
      value.slice(1),
      `${value}A`,
      `${value}=`,
      ` ${value}`,
      `${value}\n`,
      value.repeat(2),
      value.repeat(200),
    ];
    for (const text of others) assert.equal(parseBearerValue('access', text), undefined, text.slice(0, 90));
  });

  it('is rejected under another prefix, with any checksum', () => {
    const body = create().value.slice(4, 68);
    for (const prefix of ['wwr_', 'WWA_', 'wwa-', 'xxxx']) {
      assert.equal(parseBearerValue('access', withChecksum(prefix + body)), undefined, prefix);
    }
    assert.notEqual(parseBearerValue('access', withChecksum(`wwa_${body}`)), undefined);
  });

  const body = `wwa_${Buffer.alloc(48, 0xfb).toString('base64url')}`;
  const spellings = {
    'a plus sign for a minus': body.replace('-', '+'),
    'a slash for an underscore': body.replace('-_', '-/'),
    'padding at the end': body.replace(/.$/, '='),
    'a space': body.replace(/.$/, ' '),
    'a character whose low byte is in the alphabet': body.replace('v', '\u0176'),
  };
  for (const [what, spelling] of Object.entries(spellings)) {
    it(`has one spelling only: ${what} is rejected, checksum or not`, () => {
      assert.notEqual(parseBearerValue('access', withChecksum(body)), undefined);
      assert.notEqual(spelling, body);
      assert.equal(parseBearerValue('access', withChecksum(spelling)), undefined);
    });
  }

  it('never makes the reader throw', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 80 }), (text) => {
        parseBearerValue('access', text);
        parseBearerValue('access', `wwa_${text}`.padEnd(74, 'A').slice(0, 74));
        parseBearerValue('access', withChecksum(`wwa_${text}`.padEnd(68, 'A').slice(0, 68)));
      }),
    );
  });

  it('is the text of a UUID where it was imported, for tokens alone, with an id before all others', () => {
    const uuid = '6c84fb90-12c4-41c1-9d3a-8c1b4d3a0a01';
    const [access, refresh] = [parseBearerValue('access', uuid), parseBearerValue('refresh', uuid)];
    assert.match(access?.id ?? '', /^00000000-0000-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.notEqual(access?.id, refresh?.id);
    assert.deepEqual(access?.verifierHash, createHash('sha256').update(uuid).digest());
    assert.deepEqual(
      [parseBearerValue('session', uuid), parseBearerValue('access', uuid.toUpperCase())],
      [undefined, undefined],
    );
  });
});
