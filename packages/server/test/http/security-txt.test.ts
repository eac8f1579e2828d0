import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';
import { loadConfiguration } from '../../src/config/load.ts';
import { securityTxtRoutes } from '../../src/features/security-txt.ts';

const path = '/.well-known/security.txt';
const contact = { 'securityTxt.contact': 'mailto:security@example.com,https://example.com/report' };

/** The fields of the file, in their order. */
function fieldsOf(text: string): [string, string][] {
  return text.split(/\n(?!$)/).map((line) => {
    const [, name = '', value = ''] = /^([A-Z][A-Za-z-]+): (\S+)\n?$/.exec(line) ?? [];
    return [name, value];
  });
}

describe('security.txt', () => {
  it('does not exist before the operator names a contact', async () => {
    await using server = await startServer();
    assert.equal((await server.get(path)).status, 404);
  });

  it('has the contacts in their order, an end in the future and the address of the file (RFC 9116 §2.5)', async () => {
    const key = 'https://example.com/key.txt';
    await using server = await startServer({
      ...contact,
      baseUrl: 'https://localhost',
      'securityTxt.policy': 'https://example.com/policy',
      'securityTxt.encryption': key,
    });
    const { status, headers, text } = await server.get(path);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const fields = fieldsOf(text);
    const [[, expires = ''] = []] = fields.filter(([name]) => name === 'Expires');
    assert.deepEqual(fields, [
      ['Contact', 'mailto:security@example.com'],
      ['Contact', 'https://example.com/report'],
      ['Expires', expires],
      ['Encryption', key],
      ['Policy', 'https://example.com/policy'],
      ['Canonical', `https://localhost${path}`],
    ]);
    assert.match(expires, /^\d{4}-\d\d-\d\dT00:00:00Z$/);
  });

  it('is at the root of the host too if the base URL has a path (RFC 9116 §3)', async () => {
    await using server = await startServer({ ...contact, baseUrl: 'https://localhost/auth' });
    const texts = await Promise.all(
      [path, `/auth${path}`].map(async (each) =>
        (await fetch(`http://127.0.0.1:${server.port}${each}`)).text(),
      ),
    );
    assert.equal(texts[0], texts[1]);
    assert.match(texts[0] ?? '', /^Contact: /);
    const canonical = fieldsOf(texts[0] ?? '').filter(([name]) => name === 'Canonical');
    assert.deepEqual(
      canonical.map(([, url]) => url),
      [`https://localhost${path}`, `https://localhost/auth${path}`],
    );
  });

  it('names no address of its own at plain http (RFC 9116 §2.5.2)', async () => {
    await using server = await startServer(contact);
    assert.doesNotMatch((await server.get(path)).text, /Canonical/);
  });

  it('has an end that moves on with each day, and is always less than a year away', async () => {
    let now = Date.parse('2026-11-28T12:00:00Z');
    const [route] = securityTxtRoutes({
      baseUrl: 'https://localhost',
      prefix: '',
      contact: ['tel:112'],
      policy: undefined,
      encryption: undefined,
      clock: { now: () => now },
    });
    const end = async () => {
      const answer = await route?.methods.GET?.({} as never);
      return Object.fromEntries(fieldsOf(String(answer?.body))).Expires;
    };
    assert.equal(await end(), '2027-02-26T00:00:00Z');
    now += 43_200_000;
    assert.equal(await end(), '2027-02-27T00:00:00Z');
  });

  it('cannot have a policy or a key without a contact: the server says so at its start', async () => {
    for (const name of ['policy', 'encryption'] as const) {
      const flags = { [`securityTxt.${name}`]: 'https://example.com/' };
      await assert.rejects(
        loadConfiguration({ flags, environment: {}, file: undefined }),
        new RegExp(
          `securityTxt\\.${name} \\(--security-txt-${name}\\): expected securityTxt\\.contact beside it`,
        ),
      );
    }
  });
});
