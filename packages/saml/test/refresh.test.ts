import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { afterEach, describe, it, mock } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { FakeClock } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import { aggregateXml, entityXml, signedMetadata } from '@watchword/testkit/saml-metadata';
import { startSite } from '@watchword/testkit/site';
import { ProviderDirectory } from '../src/metadata/directory.ts';
import { MetadataRefresher } from '../src/metadata/refresher.ts';
import type { MetadataSource } from '../src/metadata/source.ts';

const key = testKey('idp');
const federation = testKey('federation');

const entities = (...names: string[]) =>
  names
    .map((name) =>
      entityXml({ entityId: `https://${name}.example`, certificates: [key.certificateBase64] }, false),
    )
    .join('');

const source = (location: string, more: Partial<MetadataSource> = {}): MetadataSource => ({
  location,
  signingCertificates: [federation.certificate],
  entityIds: [],
  isFederation: true,
  isProxy: false,
  refresh: 3600,
  fetch: { maxBytes: 1_000_000, answerTimeout: 30_000, timeout: 30_000, allowPrivateAddresses: true },
  ...more,
});

/** A refresher whose loads are counted by its log lines. */
function deps(...sources: readonly MetadataSource[]) {
  const clock = new FakeClock(Date.now());
  const directory = new ProviderDirectory(sources.length);
  const lines: string[] = [];
  let woken = () => {};
  const log = (level: string, message: string, details = {}) => {
    lines.push(`${level} ${message} ${JSON.stringify(details)}`);
    woken();
  };
  const refresher = new MetadataRefresher(
    { directory, policy: { allowSha1: false }, clock, log },
    sources,
    0,
  );
  return {
    clock,
    directory,
    lines,
    refresher,
    /** Advances the clock to the next load, and waits for its log line. */
    async next(seconds: number) {
      const logged = new Promise<void>((resolve) => {
        woken = resolve;
      });
      mock.timers.tick(seconds * 1000);
      await logged;
    },
    has: (name: string) => directory.find(`https://${name}.example`, clock.now()) !== undefined,
  };
}

/** The problem that the source has. */
function problemOf({ refresher }: ReturnType<typeof deps>): string {
  const [problem = '', ...others] = refresher.problems();
  assert.deepEqual(others, []);
  return problem;
}

const until = (clock: FakeClock, seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();

describe('metadata of a source', () => {
  afterEach(() => mock.timers.reset());

  it('is loaded again at intervals, and the last valid copy is used when a load fails', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let document = '';
    await using site = await startSite((_request, response) => response.end(document));
    const federated = deps(source(site.url));
    document = signedMetadata(aggregateXml(entities('a', 'b'), until(federated.clock, 7200)), federation);
    await federated.refresher.start();
    assert.deepEqual(['a', 'b', 'c'].map(federated.has), [true, true, false]);

    document = signedMetadata(aggregateXml(entities('b', 'c'), until(federated.clock, 14_400)), federation);
    await federated.next(3600);
    assert.deepEqual(['a', 'b', 'c'].map(federated.has), [false, true, true]);
    assert.deepEqual(federated.refresher.problems(), []);

    for (const broken of ['', document.replace('c.example', 'evil.example'), aggregateXml(entities('d'))]) {
      document = broken;
      await federated.next(3600);
      assert.match(federated.lines.at(-1) ?? '', /^error .*the last valid copy/);
      assert.deepEqual(['a', 'b', 'c', 'd'].map(federated.has), [false, true, true, false]);
      assert.match(
        problemOf(federated),
        /could not be loaded since 20\S+Z: .* The last copy is in use until 20/,
      );
    }
    // Until the copy has expired.
    federated.clock.advance(14_400_000);
    assert.deepEqual(['b', 'c'].map(federated.has), [false, false]);
    assert.match(problemOf(federated), /The last copy expired at 20/);
    federated.refresher.close();
  });

  it('is reported at each load when it is unchanged and has expired', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let document = '';
    await using site = await startSite((request, response) => {
      response.setHeader('etag', '"1"');
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.end(document);
    });
    const federated = deps(source(site.url));
    document = signedMetadata(aggregateXml(entities('a'), until(federated.clock, 3600)), federation);
    await federated.refresher.start();
    federated.clock.advance(3_600_000);
    await federated.next(3600);
    assert.equal(site.requests.length, 2);
    assert.match(federated.lines.at(-1) ?? '', /^error .*expired at 20/);
    federated.refresher.close();
  });

  it('of a federation does not replace an identity provider with a source of its own', async () => {
    await using directory = await temporaryDirectory();
    const all = signedMetadata(
      aggregateXml(entities('own', 'other'), new Date(Date.now() + 7_200_000).toISOString()),
      federation,
    );
    await writeFile(directory.file('all.xml'), all);
    const own = { signingCertificates: [], isFederation: false, entityIds: ['https://own.example'] };
    const federated = deps(source(directory.file('missing.xml'), own), source(directory.file('all.xml')));
    await federated.refresher.start();
    assert.deepEqual(['own', 'other'].map(federated.has), [false, true]);
    assert.match(problemOf(federated), /missing\.xml could not be loaded .* No copy was loaded/);
    federated.refresher.close();
  });

  it('is tried again every minute when it was not available at the start', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let document: string | undefined;
    await using site = await startSite((_request, response) =>
      document === undefined ? response.writeHead(503).end() : response.end(document),
    );
    const federated = deps(source(site.url));
    await federated.refresher.start();
    assert.equal(federated.directory.size, 0);
    document = signedMetadata(aggregateXml(entities('a'), until(federated.clock, 7200)), federation);
    await federated.next(60);
    assert.ok(federated.has('a'));
    federated.refresher.close();
  });

  it('is not loaded any more after close', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    await using site = await startSite((_request, response) => response.end(''));
    const federated = deps(source(site.url));
    await federated.refresher.start();
    federated.refresher.close();
    mock.timers.tick(1e9);
    assert.equal(site.requests.length, 1);
  });

  it('is read from a file too', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('idp.xml'), aggregateXml(entities('a', 'b')));
    const ofFile = { signingCertificates: [], isFederation: false, entityIds: ['https://b.example'] };
    const federated = deps(source(directory.file('idp.xml'), ofFile));
    await federated.refresher.start();
    assert.deepEqual(['a', 'b'].map(federated.has), [false, true]);
    federated.refresher.close();
  });

  for (const [what, end, reason] of [
    ['has expired', -1, /expired at 20/],
    ['has no expiry', undefined, /validUntil is missing/],
    ['has a malformed expiry', 'tomorrow', /expired at a time that cannot be read/],
  ] as const) {
    it(`of a federation is rejected when it ${what}`, async () => {
      await using directory = await temporaryDirectory();
      const federated = deps(source(directory.file('all.xml')));
      const validUntil = typeof end === 'number' ? until(federated.clock, end) : end;
      await writeFile(
        directory.file('all.xml'),
        signedMetadata(aggregateXml(entities('a'), validUntil), federation),
      );
      await federated.refresher.start();
      assert.equal(federated.directory.size, 0);
      assert.match(federated.lines.at(-1) ?? '', reason);
      federated.refresher.close();
    });
  }

  it('is rejected without the named identity provider', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('idp.xml'), aggregateXml(entities('a')));
    const ofFile = { signingCertificates: [], isFederation: false, entityIds: ['https://b.example'] };
    const federated = deps(source(directory.file('idp.xml'), ofFile));
    await federated.refresher.start();
    assert.match(federated.lines.at(-1) ?? '', /no usable identity provider https:\/\/b\.example/);
    federated.refresher.close();
  });

  it('is loaded with warnings of unusable identity providers and of expired certificates', async () => {
    await using directory = await temporaryDirectory();
    const expired = testKey('other', { notAfter: new Date('2021-01-01') }).certificateBase64;
    await writeFile(
      directory.file('all.xml'),
      aggregateXml(
        entityXml({ entityId: 'https://a.example', certificates: [expired] }, false) +
          entityXml({ entityId: 'https://b.example', certificates: [] }, false),
      ),
    );
    const federated = deps(
      source(directory.file('all.xml'), { signingCertificates: [], isFederation: false }),
    );
    await federated.refresher.start();
    const log = federated.lines.join('\n');
    assert.match(log, /warn an identity provider cannot be used .*b\.example.*no signing certificate/);
    assert.match(log, /warn a certificate of an identity provider has expired.*a\.example.*2021-01-01/);
    assert.ok(federated.has('a'));
    federated.refresher.close();
  });
});
