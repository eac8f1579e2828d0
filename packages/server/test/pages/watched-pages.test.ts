import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { protocolErrors } from '@watchword/protocol';
import { temporaryDirectory, until } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { loadConfiguration } from '../../src/config/load.ts';
import { pageStates } from '../../src/pages/states/states.ts';
import { builtInLocales } from '../../src/pages/texts/locales.ts';
import { builtInPages, html, textOf } from '../support/pages.ts';

const english = builtInLocales().get('en') ?? new Map<string, string>();
const list = '/development/pages';

describe('the states of pages', () => {
  it('are all pages that users meet, and every message that a page can show', () => {
    const templates = readdirSync(new URL('../../templates/', import.meta.url)).map((file) =>
      file.slice(0, -4),
    );
    const shown = new Set(pageStates.map(({ page }) => page.page));
    const parts = ['danger', 'unconfirmed'];
    const pages = templates.filter((name) => english.has(`${name}.title`) && !parts.includes(name));
    assert.deepEqual(
      pages.filter((page) => !shown.has(page as never)),
      // The one is for developers, the other is the list itself.
      ['reference', 'states'],
    );
    const all = pageStates.map(({ page }) => textOf(html(page))).join('\n');
    const ofErrors = [...english].filter(([key]) => /^error\.\w+\.title$/.test(key));
    for (const [key, text] of ofErrors) {
      const kind = key.split('.')[1] ?? '';
      if (!(kind in protocolErrors) && !key.startsWith('error.')) continue;
      for (const part of text.split(/\{\w+\}/)) assert.ok(all.includes(part), key);
    }
  });

  it('have names that differ, and labels that differ in every language', () => {
    for (const language of builtInPages.languages()) {
      const texts = builtInPages.texts(language);
      const labels = pageStates.map(({ label }) =>
        label
          .map((text) => (typeof text === 'string' ? text : texts.plain(text.key, text.values)))
          .join(' · '),
      );
      assert.equal(new Set(labels).size, labels.length, `${language}: ${labels}`);
    }
    assert.equal(new Set(pageStates.map(({ name }) => name)).size, pageStates.length);
  });
});

describe('a server that watches the files of its pages', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: TestServer;
  before(async () => {
    directory = await temporaryDirectory();
    await writeFile(directory.file('theme.css'), ':root { --accent: #123456 }');
    server = await startServer({
      host: 'localhost',
      'pages.watch': 'true',
      'pages.stylesheet': directory.file('theme.css'),
      'pages.locales': directory.path,
    });
  });
  after(() => Promise.all([server, directory].map((each) => each[Symbol.asyncDispose]())));
  const look = async () => (await server.get(`${list}/look`)).json;

  it('lists all pages in all states, in each language', async () => {
    const { text } = await server.get(`${list}?language=de`, { accept: 'text/html' });
    assert.match(text, /<html lang="de"/);
    for (const { name } of pageStates) assert.ok(text.includes(`"${list}/${name}?language=de"`), name);
    for (const language of builtInPages.languages())
      assert.ok(text.includes(`"${list}?language=${language}"`));
    const shown = await server.get(`${list}/consent?language=fr`, { accept: 'text/html' });
    assert.match(shown.text, /<html lang="fr"/);
    assert.equal((await server.get(`${list}/nothing`)).status, 404);
  });

  it('shows a state in a frame of its own pages, and of no other', async () => {
    const { headers } = await server.get(`${list}/login`);
    assert.match(headers.get('content-security-policy') ?? '', /; frame-ancestors 'self'; /);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
    const own = await server.get(list);
    assert.match(
      own.headers.get('content-security-policy') ?? '',
      /; frame-src 'self'; .*frame-ancestors 'none'/,
    );
  });

  it('shows saved files at once, keeps the pages as they were while a file has an error, and names it', async () => {
    const stylesheet = async () => {
      const { text } = await server.get(`${list}/login`);
      const [, address = ''] = /href="([^"]*theme[^"]*)"/.exec(text) ?? [];
      return (await server.get(address)).text;
    };
    const earlier = await stylesheet();
    await writeFile(directory.file('theme.css'), ':root {');
    await until(async () => (await look()).problems.length > 0);
    assert.match(
      (await look()).problems[0],
      /^pages\.stylesheet \(.*theme\.css:1\): is no CSS: unclosed block/,
    );
    assert.equal(await stylesheet(), earlier);
    await writeFile(directory.file('next.css'), ':root { --accent: #654321 }');
    await writeFile(directory.file('sv.json'), '{"login.title": "Logga in"}');
    await rename(directory.file('next.css'), directory.file('theme.css'));
    await until(async () => (await stylesheet()).includes('#654321'));
    assert.deepEqual((await look()).problems, []);
    const { text } = await server.get(`${list}/login?language=sv`);
    assert.match(text, /<h1>Logga in<\/h1>/);
  });
});

describe('pages.watch', () => {
  it('is refused where another machine can reach the server', async () => {
    for (const flags of [{ host: '0.0.0.0' }, { baseUrl: 'https://id.example.com' }]) {
      await assert.rejects(
        loadConfiguration({ flags: { 'pages.watch': 'true', ...flags }, environment: {}, file: undefined }),
        /pages\.watch \(--pages-watch\): expected a server that no other machine reaches, got .*; leave it out/,
      );
    }
  });

  it('is needed for the list of all pages', async () => {
    await using server = await startServer();
    for (const path of [list, `${list}/login`, `${list}/look`]) {
      assert.equal((await server.get(path)).status, 404);
    }
  });
});
