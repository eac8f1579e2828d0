import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import type { ConsentPage, LoginPage } from '../../src/pages/model/page.ts';
import { withPreparedPages } from '../../src/pages/prepared-pages.ts';
import { pageRequest, samplePage, testPages } from '../support/pages.ts';

const first: LoginPage = {
  page: 'login',
  action: '/login',
  authState: 'key.first',
  client: { name: 'One', description: '', picture: '' },
  resourceServers: [{ key: 'orders', name: 'Orders' }],
};

// A template of the operator could show data of the request, so with a directory of them nothing is prepared.
const nothing = await temporaryDirectory();
const unprepared = testPages({ templates: nothing.file('.') });
after(() => nothing[Symbol.asyncDispose]());

describe('a login page', () => {
  it('has the auth_state of its own request in each of its forms', () => {
    const pages = testPages();
    for (const authState of ['key.first', 'key.second', '$& "><b>']) {
      const page = { ...first, authState, chooserUrl: '/authenticators' };
      const { html } = pages.render(page, pageRequest);
      const escaped = authState.replace('&', '&amp;').replace('"', '&quot;').replaceAll('>', '&gt;');
      const shown = [...html.matchAll(/name="auth_state" value="([^"]*)"/g)].map(([, value]) => value);
      assert.deepEqual(shown, Array(3).fill(escaped.replace('<', '&lt;')));
    }
  });

  const others: Readonly<Record<string, Partial<LoginPage>>> = {
    'another client': { client: { name: 'Two', description: '', picture: '' } },
    'another resource server': { resourceServers: [{ key: 'invoices', name: 'Invoices' }] },
    'other fields': {
      fields: [{ name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code' }],
    },
    'a message': { message: 'Try again' },
    'a name that the client suggests': { username: 'emma' },
    'a danger': { insecureBecause: 'danger.form' },
    'a passkey': { passkey: { options: { challenge: 'first', rpId: 'id.example' } } },
    'a passkey of another domain': { passkey: { options: { challenge: 'first', rpId: 'two.example' } } },
    'a passkey without a challenge': { passkey: { options: { rpId: 'id.example' } } },
    'a passkey that is unknown': { passkey: { options: { challenge: 'first' }, unknown: 'one' } },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`shows ${what}, whatever was shown before`, () => {
      const pages = testPages();
      for (const page of [first, { ...first, ...other }, first]) {
        assert.deepEqual(pages.render(page, pageRequest), unprepared.render(page, pageRequest));
      }
    });
  }

  it('has the challenge of its own request, and is rendered once for all of them', () => {
    let rendered = 0;
    const render = withPreparedPages(
      (page, request) => {
        rendered += 1;
        return unprepared.render(page, request);
      },
      () => 'en',
    );
    for (const challenge of ['first', 'second', '$& "><b>\\']) {
      const page = { ...first, passkey: { options: { challenge, rpId: 'id.example' } } };
      assert.deepEqual(render(page, pageRequest), unprepared.render(page, pageRequest));
    }
    assert.equal(rendered, 1);
  });

  it('has the language, the prefix and the policy of its own request', () => {
    const pages = testPages();
    const requests = [
      pageRequest,
      { ...pageRequest, acceptLanguage: 'de' },
      { ...pageRequest, prefix: '/auth' },
      { ...pageRequest, formTargets: ['https://app.example'] },
    ];
    for (const request of [...requests, ...requests]) {
      assert.deepEqual(pages.render(first, request), unprepared.render(first, request));
    }
  });

  it('is right after those of many other clients', () => {
    const pages = testPages();
    for (let index = 0; index < 250; index += 1) {
      const page = { ...first, client: { name: `Client ${index}`, description: '', picture: '' } };
      assert.match(pages.render(page, pageRequest).html, new RegExp(`Client ${index}<`));
    }
    assert.deepEqual(pages.render(first, pageRequest), unprepared.render(first, pageRequest));
  });

  it('shows data of its own request in a template of the operator', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('login.eta'), '<p><%= it.requestId %> <%= it.authState.length %></p>');
    const pages = testPages({ templates: directory.file('.') });
    const shown = (requestId: string, authState: string) =>
      pages.render({ ...first, authState }, { ...pageRequest, requestId }).html;
    assert.equal(shown('one', 'a').trim(), '<p>one 1</p>');
    assert.equal(shown('two', 'ab').trim(), '<p>two 2</p>');
  });
});

describe('a consent page', () => {
  const { message: _, ...consent }: ConsentPage = samplePage('consent');

  it('has the auth_state and the owner of its own request, whatever was shown before', () => {
    const pages = testPages();
    const owners = [
      { name: 'emma', displayName: 'Emma' },
      { name: 'ada', displayName: '' },
      { name: 'x', displayName: '$& <b>"\u202E\uE000' },
      { name: 'y', displayName: 'y'.repeat(200) },
    ];
    for (const acceptLanguage of ['en', 'de', 'ar']) {
      for (const owner of owners) {
        const page = { ...consent, owner, authState: `key.${owner.name}"` };
        const request = { ...pageRequest, acceptLanguage };
        assert.deepEqual(pages.render(page, request), unprepared.render(page, request));
      }
    }
  });

  const others: Readonly<Record<string, Partial<ConsentPage>>> = {
    'another client': { client: { name: 'Two', description: '', picture: '' } },
    'other scopes': { scopes: [{ name: 'write', ticked: true, isNew: true }] },
    'another box ticked': { scopes: consent.scopes.map((scope) => ({ ...scope, ticked: !scope.ticked })) },
    'another destination': { destination: { host: 'two.example', consentText: { key: 'consent.return' } } },
    'a message': { message: 'Tick a box' },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`shows ${what}, whatever was shown before`, () => {
      const pages = testPages();
      for (const page of [consent, { ...consent, ...other }, consent]) {
        assert.deepEqual(pages.render(page, pageRequest), unprepared.render(page, pageRequest));
      }
    });
  }

  it('shows more of the owner in a template of the operator', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('consent.eta'), '<p><%= it.owner.name %></p>');
    const pages = testPages({ templates: directory.file('.') });
    for (const name of ['emma', 'ada']) {
      const { html } = pages.render({ ...consent, owner: { name, displayName: '' } }, pageRequest);
      assert.equal(html.trim(), `<p>${name}</p>`);
    }
  });
});
