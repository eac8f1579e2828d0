import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { variants } from '@watchword/testkit';

const path = '/admin/branding';
const metadataPaths = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
] as const;
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const branding = {
  productName: 'Acme ID',
  logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  lightColours: { accent: '#5b3fa8' },
  darkColours: {},
  texts: { 'en/login.title': 'Welcome <b>', 'sv/login.title': 'Välkommen' },
};

describe('the branding of pages', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server[Symbol.asyncDispose]());
  const html = async (address: string, language = 'en') =>
    (await server.get(address, { accept: 'text/html', 'accept-language': language })).text;
  const addressOf = (page: string, name: string) =>
    new RegExp(`"(/assets/${name}\\.[0-9a-f]{16}\\.[a-z]+)[?"]`).exec(page)?.[1] ?? assert.fail(`no ${name}`);

  it('is seen and changed by administrators alone', async () => {
    const person = await server.person('emma');
    for (const [method, address] of [
      ['GET', path],
      ['PUT', path],
      ['POST', `${path}/preview`],
      ['GET', `${path}/texts`],
    ] as const) {
      const { status, json } = await person.call(method, address, method === 'GET' ? undefined : branding);
      assert.deepEqual([status, json.error], [403, 'access_denied'], `${method} ${address}`);
    }
  });

  it('is refused as a whole, with every value that is wrong', async () => {
    const root = await server.administrator();
    const { status, json } = await root.call('PUT', path, {
      productName: 'x'.repeat(61),
      logo: 'data:image/gif;base64,AA==',
      lightColours: { accent: '#ffff00', shadow: '#000000' },
      darkColours: { ink: 'white' },
      texts: { 'de/login.titel': 'x' },
    });
    assert.equal(status, 400);
    const violations: readonly string[] = json.violations;
    const fields = new Set(violations.map((violation) => violation.split(':', 1)[0]));
    assert.deepEqual([...fields].sort(), ['darkColours', 'lightColours', 'logo', 'productName', 'texts']);
    assert.equal((await root.get(path)).json.modificationDate, 0);
  });

  it('is on every page at once: name, logo, colours by a stylesheet of their own, and texts of each language, which the metadata names', async () => {
    const root = await server.administrator();
    const { json: before } = await server.get(metadataPaths[0]);
    assert.ok(!before.ui_locales_supported.includes('sv'));
    const { status, headers, json } = await root.call('PUT', path, branding);
    assert.equal(status, 200);
    assert.deepEqual({ ...json, modificationDate: 0 }, { ...json, ...branding, modificationDate: 0 });
    const stale = await root.call('PUT', path, branding, { 'if-match': '"0"' });
    assert.deepEqual([stale.status, headers.get('etag') !== '"0"'], [412, true]);

    const page = await html('/');
    assert.match(page, /<title>[^<]* &ndash; Acme ID<\/title>/);
    const css = await server.get(addressOf(page, 'brand'));
    assert.equal(
      css.text,
      '@media (prefers-color-scheme: light){:root{--accent:#5b3fa8;--accent-hover:color-mix(in srgb, var(--accent), var(--ink) 25%)}}',
    );
    assert.equal(css.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const logo = await server.get(addressOf(page, 'logo'));
    assert.deepEqual([logo.text, logo.headers.get('content-type')], [svg, 'image/svg+xml']);
    assert.match(logo.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/);

    const login = await html('/account');
    assert.match(login, /<h1>Welcome &lt;b&gt;<\/h1>/);
    assert.match(await html('/account', 'sv'), /<html lang="sv".*<h1>Välkommen<\/h1>/s);
    for (const name of metadataPaths) {
      assert.ok((await server.get(name)).json.ui_locales_supported.includes('sv'), name);
    }
    const gui = await html('/client/client.html');
    assert.match(gui, /<meta name="watchword-product-name" content="Acme ID">/);
    const theme = await server.get(addressOf(gui, 'console-theme'));
    assert.match(theme.text, /:root:root\[data-color-scheme="light"\]\{--accent:#5b3fa8/);
    const { text: page404 } = await server.get('/nothing', { accept: 'text/html' });
    assert.match(page404, /Acme ID/);
  });

  it('leaves the policy of pages as strict as it was', async () => {
    const { headers } = await server.get('/account', { accept: 'text/html' });
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|data:/);
  });

  it('is in the audit log, with what it was before', async () => {
    const root = await server.administrator();
    await root.call('PUT', path, { ...branding, productName: 'Acme' });
    const { json } = await root.get('/admin/auditEvent?recordType=branding');
    const [last, first] = json;
    assert.deepEqual(
      [last.action, last.recordName, last.before, last.after],
      [...['update', 'pages'], ...[{ productName: 'Acme ID' }, { productName: 'Acme' }]],
    );
    assert.equal(first.after.logo, `image/svg+xml, ${svg.length} bytes`);
  });

  it('can be seen on every page in every state before it is saved, for an hour, and only in a frame', async () => {
    using clock = stoppedClock();
    const root = await server.administrator();
    const saved = await html('/');
    const { json: texts } = await root.get(`${path}/texts?language=de`);
    assert.equal(texts.texts['login.title'], 'Anmelden');
    const draft = { ...branding, productName: 'Draft', lightColours: { accent: '#7a1f5c' } };
    const { json: preview } = await root.call('POST', `${path}/preview`, draft);
    for (const { name } of variants(15, texts.states as { name: string }[])) {
      const { status, text, headers } = await server.get(`${preview.url}${name}?language=de`);
      assert.deepEqual([status, text.includes('Draft')], [200, true], name);
      assert.doesNotMatch(text, /<script| autofocus/);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    }
    const { text } = await server.get(`${preview.url}login`);
    const [, css = ''] = /"(\/assets\/brand[^"]+)"/.exec(text) ?? [];
    assert.match((await server.get(css)).text, /#7a1f5c/);
    assert.equal(await html('/'), saved);
    const top = await server.get(`${preview.url}login`, { 'sec-fetch-dest': 'document' });
    assert.equal(top.status, 404);
    assert.equal((await server.get('/client/preview/shown/login')).status, 404);
    clock.advance(3600);
    assert.equal((await server.get(`${preview.url}login`)).status, 404);
  });

  it('gives way to the configuration', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('theme.css'), ':root { --radius: 0 }');
    await writeFile(directory.file('en.json'), '{"login.title": "From a file"}');
    await using configured = await startAdministration({
      'pages.productName': 'Configured',
      'pages.stylesheet': directory.file('theme.css'),
      'pages.locales': directory.path,
    });
    const root = await configured.administrator();
    const { json } = await root.call('PUT', path, branding);
    assert.deepEqual(json.settings, ['pages.productName', 'pages.stylesheet', 'pages.locales']);
    const { text } = await configured.get('/account', { accept: 'text/html', 'accept-language': 'en' });
    assert.match(text, /Configured/);
    assert.match(text, /<h1>From a file<\/h1>/);
    assert.ok(text.indexOf('/assets/brand.') < text.indexOf('/assets/theme.'));
  });
});
