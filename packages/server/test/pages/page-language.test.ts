import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { protocolErrors } from '@watchword/protocol';
import type { ErrorPage, Page } from '../../src/pages/model/page.ts';
import { builtInLocales } from '../../src/pages/texts/locales.ts';
import { languageLookup } from '../../src/pages/texts/negotiate.ts';
import { builtInPages, everyPage, html, pageRequest, samplePage } from '../support/pages.ts';

const languages = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'pl'];
const locales = builtInLocales();
const english = locales.get('en') ?? new Map<string, string>();

describe('the built-in texts of pages', () => {
  it('are read once for all servers of a process', () => {
    for (const language of languages) {
      assert.ok(builtInLocales().get(language) === locales.get(language), language);
    }
  });
});

describe('the language of a page', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['nl', 'nl'],
    ['NL-be', 'nl'],
    ['de-Latn-CH-1996', 'de'],
    ['fr, de;q=0.5, nl;q=0.8', 'nl'],
    ['fr;q=1.0,de;q=0.8,*;q=0.1', 'de'],
    ['nl;q=0, de;q=0.1', 'de'],
    ['nl;q=0', 'en'],
    ['*', 'en'],
    ['en-GB,nl;q=0.9', 'en'],
    ['nlx, d', 'en'],
    ['nl;q=2, de;q=0.1', 'de'],
    [';;,,=, de ; q=0.5', 'de'],
    ['x'.repeat(16_000), 'en'],
    [`${'nl-'.repeat(5000)},de`, 'de'],
    [`${'fr,'.repeat(5000)}de`, 'en'],
    ['../../etc/passwd', 'en'],
    ['__proto__, constructor', 'en'],
  ] as const) {
    it(`is ${language} for Accept-Language ${JSON.stringify(header)?.slice(0, 40)}`, () => {
      assert.equal(languageLookup(['en', 'nl', 'de'], 'en')(header), language);
    });
  }

  it('is found by removing subtags from the end, single letters together with the next one', () => {
    const lookUp = languageLookup(['zh-Hant', 'zh', 'en'], 'en');
    for (const [wanted, found] of [
      ['zh-Hant-TW', 'zh-Hant'],
      ['zh-Hant-x-private1-private2', 'zh-Hant'],
      ['zh-Hans-CN', 'zh'],
      ['ja', 'en'],
    ] as const) {
      assert.equal(lookUp(wanted), found);
    }
  });

  it('is named in the page and in its headers', () => {
    for (const language of languages) {
      const request = { ...pageRequest, acceptLanguage: language };
      const { html: shown, headers } = builtInPages.render({ page: 'logged-out' }, request);
      assert.match(shown, new RegExp(`<html lang="${language}" dir="ltr">`));
      assert.equal(headers['content-language'], language);
      assert.equal(headers.vary, 'Accept-Language, Cookie');
    }
  });

  it('is also the language of its dates', () => {
    const page = {
      page: 'account',
      factors: {
        list: [],
        codesLeft: 0,
        needsCodes: false,
        codesUrl: '/account/recovery-codes',
        totpUrl: '/account/totp',
      },
      action: '/account',
      authState: 'x',
      logoutUrl: '/logout',
      sessionsUrl: '/account/sessions',
      dataUrl: '/account/data',
      isLocal: true,
      sessions: [],
      owner: { name: 'emma', displayName: 'Emma' },
      claims: { email: 'emma@example.org', email_verified: true, updated_at: 1_767_225_600 },
      ...{ tools: [], toolsUrl: '' },
      applications: [
        {
          ...{
            id: 'a',
            name: 'A',
            picture: '',
            resourceServers: [{ key: 'b', name: 'B' }],
            since: Date.UTC(2026, 4, 3),
          },
          withdrawUrl: '',
          ...{ scopes: [], consentedScopes: [] },
        },
      ],
    } as const;
    const shownIn = (acceptLanguage: string) => html(page, builtInPages, { acceptLanguage });
    assert.match(shownIn('nl'), /Toegestaan op <bdi>3 mei 2026<\/bdi>/);
    assert.match(shownIn('de'), /Erlaubt am <bdi>3\. Mai 2026<\/bdi>/);
    assert.match(shownIn('en'), /Allowed on <bdi>May 3, 2026<\/bdi>/);
  });
});

describe('the choice of a language at the foot of a page', () => {
  it('names each language in itself, and the one of the page beside the form', () => {
    const shown = html(samplePage('consent'), builtInPages, { acceptLanguage: 'pl', prefix: '/auth' });
    assert.match(shown, /<span class="visually-hidden">Język <\/span>Polski<\/summary>/);
    assert.match(shown, /<form method="post" action="\/auth\/language">/);
    assert.match(shown, /value="nl" lang="nl"><bdi>Nederlands</);
    assert.match(shown, /value="pl" lang="pl" aria-current="true"><bdi>Polski</);
    assert.match(shown, /value="fr" lang="fr"><bdi>Français</);
  });

  it('is at every page that can come again, and at no other', () => {
    const offers = (page: Page, isRepeatable: boolean) =>
      html(page, builtInPages, { isRepeatable }).includes('name="language"');
    const never = new Set(['forward', 'repeat', 'states', 'reference']);
    const always = new Set(['login', 'login-step', 'select-account', 'consent', 'answered']);
    for (const page of everyPage()) {
      assert.equal(offers(page, true), !never.has(page.page), page.page);
      const hasState = always.has(page.page);
      assert.equal(offers(page, false), hasState, page.page);
    }
  });
});

describe('a text', () => {
  for (const [seconds, language, words] of [
    ['1', 'en', '1 second'],
    ['119', 'nl', '119 seconden'],
    ['120', 'de', '2 Minuten'],
    ['601', 'en', '11 minutes'],
  ] as const) {
    it(`shows ${seconds} seconds as ${words}`, () => {
      const page = {
        page: 'login',
        action: '/login',
        authState: 'x',
        message: { key: 'login.wait', values: { seconds } },
      } as const;
      assert.ok(html(page, builtInPages, { acceptLanguage: language }).includes(`<bdi>${words}</bdi>`));
    });
  }
});

describe('the built-in texts', () => {
  it('are the same keys with the same values in every language', () => {
    const shape = (texts: ReadonlyMap<string, string>) =>
      [...texts].map(([key, text]) => `${key} ${(text.match(/\{[\w:]+\}/g) ?? []).sort().join(' ')}`).sort();
    assert.deepEqual([...locales.keys()], languages);
    for (const language of languages) {
      assert.deepEqual(shape(locales.get(language) ?? new Map()), shape(english), language);
    }
  });

  it('are never empty, and never left in English', () => {
    for (const language of languages.slice(1)) {
      const texts = locales.get(language) ?? new Map<string, string>();
      const same = [...texts].filter(([key, text]) => text === english.get(key));
      assert.ok(same.length < 8, `${language}: ${same.map(([key]) => key)}`);
      assert.deepEqual(
        [...texts.values()].filter((text) => text.trim() !== text || text === ''),
        [],
      );
    }
  });

  it('have every key that a template or the server needs', () => {
    const templates = new URL('../../templates/', import.meta.url);
    const sources = readdirSync(templates).map((file) => readFileSync(new URL(file, templates), 'utf8'));
    const asked = sources.flatMap((source) => [...source.matchAll(/it\.(?:t|html)\('([^']+)'/g)]);
    assert.ok(asked.length > 30);
    for (const [, key = ''] of asked) assert.ok(english.has(key), key);
  });

  it('have every key that a built-in module names', () => {
    const modules = fileURLToPath(new URL('../../src/modules/', import.meta.url));
    const keys = globSync('**/*.ts', { cwd: modules }).flatMap((file) => [
      ...readFileSync(join(modules, file), 'utf8').matchAll(/key: '([^']+)'/g),
    ]);
    assert.ok(keys.length > 0);
    for (const [, key = ''] of keys) assert.ok(english.has(key), key);
  });

  it('have a title and advice for every error that a page can show', () => {
    for (const language of languages) {
      for (const [kind, { error, status }] of Object.entries(protocolErrors)) {
        const page = { page: 'error', kind: kind as ErrorPage['kind'], error, status } as const;
        const shown = html({ ...page, description: '', requestId: 'r' }, builtInPages, {
          acceptLanguage: language,
        });
        assert.match(shown, /<h1>[^<.]{5,}<\/h1>\n<p class="advice">[^<]{20,}<\/p>/, `${language} ${kind}`);
      }
    }
  });
});
