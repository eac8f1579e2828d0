import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { languages, tableOf } from './support/tables.ts';

const dist = new URL('../dist/', import.meta.url);
const names = readdirSync(new URL('assets/', dist));
const size = (name: string) => statSync(new URL(`assets/${name}`, dist)).size;
const compressed = (pattern: RegExp) =>
  names
    .filter((name) => name.endsWith('.br') && pattern.test(name))
    .reduce((sum, name) => sum + size(name), 0);

/** Of texts, which the server compresses. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** A browser loads one table of texts; the largest one is counted. */
const [largest = ''] = languages
  .map((language) => JSON.stringify(tableOf(language)))
  .toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a));
const texts = brotliCompressSync(largest, quality).length;

/** Bytes after compression with brotli, as a browser loads them. */
const bounds = {
  first: 1_400,
  main: 4_500,
  application: 42_500,
  styles: 9_000,
  texts: 28_500,
  everything: 166_000,
};

describe('the built GUI', () => {
  it('keeps its size limits: the script for the token request, the one after it, the first page, and all files with the texts', () => {
    const page = readFileSync(new URL('client.html', dist), 'utf8');
    const scripts = [...page.matchAll(/<script [^>]*src="\.\/assets\/(.*)\.js"/g)].map(
      ([, name = '']) => name,
    );
    const [first = 0, main = 0] = scripts.map((name) => compressed(new RegExp(`^${name}\\.js`)));
    assert.equal(scripts.length, 2);
    assert.ok(first > 0 && first < bounds.first, String(first));
    assert.ok(main > 0 && main < bounds.main, String(main));
    assert.ok(compressed(/^application-.*\.js/) < bounds.application);
    assert.ok(compressed(/\.css/) < bounds.styles);
    assert.ok(texts < bounds.texts, String(texts));
    assert.ok(compressed(/./) + texts < bounds.everything, String(compressed(/./) + texts));
  });

  it('loads charts and forms only when their pages open', () => {
    assert.ok(names.some((name) => /^overview-.*\.js$/.test(name)));
    assert.ok(names.some((name) => /^records-.*\.js$/.test(name)));
  });

  it('names no other host in its scripts, except the documentation of errors', () => {
    for (const name of names.filter((each) => each.endsWith('.js') || each.endsWith('.css'))) {
      const text = readFileSync(new URL(`assets/${name}`, dist), 'utf8');
      const hosts = new Set([...text.matchAll(/https?:\/\/([a-z0-9.-]+)/g)].map(([, host]) => host));
      const known = [
        'react.dev',
        'www.w3.org',
        'api.example.com',
        'app.example.com',
        'localhost',
        '127.0.0.1',
        'reactjs.org',
        'refeds.org',
      ];
      assert.deepEqual(
        [...hosts].filter((host) => !known.includes(host ?? '')),
        [],
        name,
      );
    }
  });

  it('contains the licences of its parts', () => {
    const licenses = readFileSync(new URL('licenses.md', dist), 'utf8');
    for (const name of ['preact', '@tanstack/react-query', '@tanstack/query-core']) {
      assert.ok(licenses.includes(`## ${name} - `), name);
    }
  });
});
