import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { ConfigurationError } from '../../src/configuration-error.ts';
import { builtInConsoleLocales } from '../../src/pages/texts/locales.ts';
import { testPages } from '../support/pages.ts';

const pagePath = '/client/client.html';
const english = Object.fromEntries(builtInConsoleLocales().get('en') ?? []);

describe('the texts of the administration GUI', () => {
  let server: TestServer;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    await mkdir(directory.file('console'));
    const texts = { 'page.loading': 'Un <b> "instant"', 'page.title': 'Administration du serveur' };
    await writeFile(directory.file('console/fr.json'), JSON.stringify(texts));
    await writeFile(directory.file('console/de.json'), '{"action.save": "Sichern"}');
    await writeFile(directory.file('console/ar.json'), '{}');
    await writeFile(directory.file('theme.css'), ':root { --accent: #5b3fa8 }');
    server = await startServer({
      'pages.locales': directory.path,
      'pages.stylesheet': directory.file('theme.css'),
    });
  });
  after(() => Promise.all([server, directory].map((each) => each[Symbol.asyncDispose]())));

  const page = (language: string) => server.get(pagePath, { 'accept-language': language });
  const addressIn = (html: string) =>
    `/client/${/<meta name="watchword-texts" content="\.\/([^"]+)">/.exec(html)?.[1]}`;
  const tableIn = async (language: string) => (await server.get(addressIn((await page(language)).text))).json;

  it('come with the variables of the stylesheet of the pages', async () => {
    const [, address = ''] =
      /<link rel="stylesheet" href="(\/assets\/[^"]+)">\n<\/head>/.exec((await page('en')).text) ?? [];
    const { text, headers } = await server.get(address);
    assert.equal(text, ':root:root{--accent:#5b3fa8}');
    assert.deepEqual(
      ['content-type', 'cache-control'].map((name) => headers.get(name)),
      ['text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    );
    assert.equal((await server.get('/assets/console-theme.0123456789abcdef.css')).status, 404);
  });

  it('are in the language that the browser prefers, as the page says in its headers and itself', async () => {
    for (const [wanted, language, direction, title] of [
      ['nl-BE, en;q=0.5', 'nl', 'ltr', 'Beheer'],
      ['fr', 'fr', 'ltr', 'Administration du serveur'],
      ['ar', 'ar', 'rtl', '\u2066Administration\u2069'],
      ['xx', 'en', 'ltr', 'Administration'],
    ] as const) {
      const { text, headers } = await page(wanted);
      assert.ok(text.includes(`<html lang="${language}" dir="${direction}">`), wanted);
      assert.ok(text.includes(`<title>${title}</title>`), wanted);
      assert.equal(headers.get('content-language'), language);
      assert.match(headers.get('vary') ?? '', /Accept-Language/);
    }
  });

  it('stand in the page as text', async () => {
    assert.ok((await page('fr')).text.includes('>Un &lt;b&gt; &quot;instant&quot;<'));
    assert.doesNotMatch((await page('en')).text, /\{\w+\.\w+\}/);
  });

  it('are those of the operator, then the built-in ones of the language, then the English ones between isolates', async () => {
    assert.deepEqual(Object.keys(await tableIn('fr')), Object.keys(english));
    assert.equal((await tableIn('de'))['action.save'], 'Sichern');
    assert.equal((await tableIn('de'))['action.cancel'], 'Abbrechen');
    assert.equal((await tableIn('fr'))['action.cancel'], `\u2066${english['action.cancel']}\u2069`);
    assert.deepEqual(await tableIn('en'), english);
  });

  it('are one file a language, compressed, whose name changes with its content, so that caches keep it', async () => {
    const address = addressIn((await page('de')).text);
    const { headers } = await server.get(address, { 'accept-encoding': 'br' });
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('content-encoding'), 'br');
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const others = await Promise.all(['en', 'nl', 'fr'].map(async (language) => (await page(language)).text));
    assert.equal(new Set([address, ...others.map(addressIn)]).size, 4);
  });

  it('are found under no other name', async () => {
    const address = addressIn((await page('de')).text);
    for (const name of [
      'de.json',
      'de.0123456789abcdef.json',
      'xx.0123456789abcdef.json',
      '..%2Fen.json',
      '__proto__',
    ]) {
      assert.equal((await server.get(address.replace(/[^/]+$/, name))).status, 404, name);
    }
  });

  it('with a key that the GUI does not have are a configuration error that names the nearest key', async () => {
    await using wrong = await temporaryDirectory();
    await mkdir(wrong.file('console'));
    await writeFile(wrong.file('console/nl.json'), '{"action.sav": "Opslaan", "login.title": "Hoi"}');
    await writeFile(wrong.file('console/fr.json'), '[]');
    const problems = (() => {
      try {
        testPages({ locales: wrong.path });
      } catch (error) {
        return error instanceof ConfigurationError ? error.message : assert.fail(String(error));
      }
      return assert.fail('the files were accepted');
    })();
    assert.match(problems, /nl\.json\).*got "action\.sav"; did you mean action\.save\?/);
    assert.match(problems, /nl\.json\).*got "login\.title"/);
    assert.match(problems, /fr\.json\): cannot be read: expected an object/);
  });
});
