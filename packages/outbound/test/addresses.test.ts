import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import { createOutboundFetch, isPublicAddress, type OutboundPolicy, type Resolve } from '@watchword/outbound';
import { startSite } from '@watchword/testkit/site';
import { assertFails } from './support/failure.ts';

const outboundFetch = createOutboundFetch({ allowHttp: true });

/** Resolves every name to these addresses. */
const resolvingTo =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address): LookupAddress => ({ address, family: 4 }));

async function textFrom(url: string, policy: OutboundPolicy): Promise<string> {
  return (await createOutboundFetch({ allowHttp: true, ...policy })(url)).text();
}

describe('SS-1: an outbound request', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001:db8::1]',
  ]) {
    it(`does not go to the address ${host}`, () =>
      assertFails(
        outboundFetch(`http://${host}:1/x`),
        'private-address',
        /not an address of the public internet; allowPrivateAddresses permits/,
      ));
  }

  it('does not go to a private address by a name, with or without a dot at its end', async () => {
    await assertFails(outboundFetch('http://localhost:1/x'), 'private-address', /^localhost is at /);
    const inside = createOutboundFetch({ resolve: resolvingTo('127.0.0.1') });
    for (const host of ['localhost.', 'LOCALHOST', 'inside.example']) {
      await assertFails(inside(`https://${host}:1/x`), 'private-address', /is at 127\.0\.0\.1/);
    }
  });

  it('does not go to a name of which one address among several is private', () =>
    assertFails(
      createOutboundFetch({ resolve: resolvingTo('93.184.215.14', '10.0.0.1') })('https://mixed.example/'),
      'private-address',
      /^mixed\.example is at 10\.0\.0\.1/,
    ));

  it('resolves a name once and connects to the address that was checked', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    let lookups = 0;
    const resolve: Resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const url = site.url.replace('127.0.0.1', 'rebinding.example');
    assert.equal(await textFrom(url, { allowPrivateAddresses: true, resolve }), 'here');
    assert.equal(lookups, 1);
    assert.equal(site.requests[0]?.headers.host, new URL(url).host);
  });

  it('connects to the second address when the first does not answer', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    const policy = { allowPrivateAddresses: true, resolve: resolvingTo('127.0.0.2', '127.0.0.1') };
    assert.equal(await textFrom(site.url.replace('127.0.0.1', 'two.example'), policy), 'here');
  });

  it('goes to the private addresses of the hosts that the operator lists, and of no others', async () => {
    await using site = await startSite((_request, response) => response.end('here'));
    const { host, port } = new URL(site.url);
    for (const entry of ['127.0.0.1', host]) {
      assert.equal(await textFrom(site.url, { allowPrivateAddresses: [entry] }), 'here');
    }
    const resolve = resolvingTo('127.0.0.1');
    const named = site.url.replace('127.0.0.1', 'inside.example');
    assert.equal(await textFrom(named, { allowPrivateAddresses: ['Inside.Example'], resolve }), 'here');
    for (const entry of ['localhost', `127.0.0.1:${Number(port) + 1}`, 'example']) {
      const refused = createOutboundFetch({ allowHttp: true, allowPrivateAddresses: [entry], resolve });
      await assertFails(refused(site.url), 'private-address', /127\.0\.0\.1/);
      await assertFails(refused(named), 'private-address', /inside\.example/);
    }
  });

  it('reports a name that cannot be resolved or has no address', async () => {
    const none = createOutboundFetch({ resolve: resolvingTo() });
    await assertFails(
      none('https://nowhere.example/x'),
      'unresolved-host',
      /nowhere\.example has no address/,
    );
    await assertFails(
      outboundFetch('https://name.invalid/x'),
      'unresolved-host',
      /name\.invalid cannot be resolved: /,
    );
  });
});

describe('an address', () => {
  for (const [address, isPublic] of [
    ['93.184.215.14', true],
    ['100.128.0.1', true],
    ['172.32.0.1', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
    ['2001:67c:2e8::1', true],
    ['::ffff:93.184.215.14', false],
    ['203.0.113.9', false],
    ['no address', false],
    ['', false],
  ] as const) {
    it(`"${address}" is ${isPublic ? '' : 'not '}one of the public internet`, () =>
      assert.equal(isPublicAddress(address), isPublic));
  }
});
