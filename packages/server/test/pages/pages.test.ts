import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { variants } from '@watchword/testkit';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Page } from '../../src/pages/model/page.ts';
import {
  builtInPages,
  everyPage,
  html,
  pageRequest,
  samplePage,
  testPages,
  textOf,
} from '../support/pages.ts';

/** Resolves the configuration once, because that takes longer than the validation of a page. */
class SingleConfiguration extends StaticConfigLoader {
  #resolved: ReturnType<StaticConfigLoader['getConfigFor']> | undefined;

  override getConfigFor(handle: string) {
    this.#resolved ??= super.getConfigFor(handle);
    return this.#resolved;
  }
}

const validator = new HtmlValidate(
  new SingleConfiguration({
    root: true,
    extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
    // The stylesheets are on this server.
    rules: { 'require-sri': 'off' },
  }),
);

function assertValid(page: string): void {
  const { results } = validator.validateStringSync(page);
  const messages = results.flatMap(({ messages }) =>
    messages.map((found) => `${found.ruleId}: ${found.message}`),
  );
  assert.deepEqual(messages, [], page);
}

const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</title></textarea></style><script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>#{7*7}',
  '&lt;script&gt;&#60;b&#62;',
  'javascript:alert(1)',
  '<!-- --><base href=//evil.example>',
];

describe('a page', () => {
  for (const language of variants(1, ['en', 'nl', 'de'])) {
    it(`is valid and accessible HTML, with and without everything it can show (${language})`, () => {
      const pages = testPages({ pictureHosts: ['cdn.example'] });
      const withPictures = everyPage(hostileTexts.join(' '), 'https://cdn.example/a.png');
      const render = (page: Page) => html(page, pages, { acceptLanguage: language });
      for (const [index, page] of everyPage().entries()) {
        const [plain, full] = [render(page), render(withPictures[index] ?? assert.fail())];
        assertValid(full);
        if (tagsOf(plain).join() !== tagsOf(full).join()) assertValid(plain);
      }
    });
  }

  const harmless = everyPage('harmless').map((page) => tagsOf(html(page)));
  for (const text of hostileTexts) {
    it(`shows ${JSON.stringify(text)} as text, from every source`, () => {
      for (const [index, page] of everyPage(text).entries()) {
        const shown = html(page);
        assert.deepEqual(tagsOf(shown), harmless[index], shown);
        assert.doesNotMatch(shown, /(?:href|src)="javascript:/);
      }
    });
  }

  it('makes hidden characters of a text visible', () => {
    for (const hidden of [
      '\u202Emoc.live',
      'pay\u200Bpal',
      '\u2066x',
      'a\u0000b',
      'a\uFEFFb',
      'a\u{E0061}b',
      'a\u3164\u2800b',
      '\u200C\u200D',
      '\u034F',
      '\uFE0F',
    ]) {
      for (const page of everyPage(hidden)) {
        const shown = textOf(html(page));
        assert.doesNotMatch(shown, /[\u202A-\u202E\u2066-\u2069\u200B\0\uFEFF\u{E0061}\u3164\u2800]/u);
        if ('owner' in page || 'client' in page) assert.match(shown, /\uFFFD/);
      }
    }
  });

  it('isolates each external text, so that its direction does not affect another', () => {
    for (const page of everyPage('MARKER')) {
      const shown = html(page).replaceAll(/<title>.*<\/title>|="[^"]*"/g, '');
      const isolated = shown.match(/<(bdi|label|dd|code)[^>]*>MARKER<\/\1>/g) ?? [];
      assert.equal(isolated.length, shown.match(/MARKER/g)?.length ?? 0, shown);
      assert.doesNotMatch(html(page), /<title>[^<]*(?<!&#x2068;)MARKER/);
    }
  });

  it('shortens texts that would move its buttons out of sight, and limits combining marks', () => {
    assert.doesNotMatch(textOf(html(samplePage('consent', 'a'.repeat(5000)))), /a{301}/);
    assert.doesNotMatch(textOf(html(samplePage('consent', `z${'\u0335'.repeat(50)}`))), /\u0335{5}/);
  });

  it('keeps families, flags and joined letters complete', () => {
    const shown = html({
      page: 'logout',
      action: '/logout',
      authState: 'x',
      owner: { name: 'x', displayName: '👩‍👩‍👧 می‌خواهم' },
    });
    assert.ok(shown.includes('👩‍👩‍👧 می‌خواهم'));
  });

  it('has no inline script, no inline style, no handler, and nothing from another host', () => {
    for (const page of everyPage()) {
      const shown = html(page).replace(
        /<script src="\/assets\/([\w-]+)\.[0-9a-f]{16}\.js" defer><\/script>/,
        (_, name) => {
          const own = ['choice', 'forward', 'repeat', 'logged-out', 'states'];
          const shared = Object.entries({
            password: ['login', 'login-step', 'password', 'invitation', 'deletion', 'own-factor'],
            passkey: ['account', 'new-passkey'],
          }).find(([, pages]) => pages.includes(page.page))?.[0];
          assert.equal(name, own.includes(page.page) ? page.page : (shared ?? 'once'));
          return '';
        },
      );
      const frames = page.page === 'logged-out' ? (page.frames ?? []) : [];
      const own = page.page === 'states' ? 1 : 0;
      assert.equal(shown.match(/<iframe /g)?.length ?? 0, frames.length + own);
      assert.doesNotMatch(shown, /<script|<style|<object|<base|\sstyle=|\son[a-z]+=|http-equiv/i);
      for (const [, address = ''] of shown.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        // The page consists of a link or form to another site, or has one to read.
        const isWayOut =
          (page.page === 'forward' && address === page.action) ||
          (page.page === 'login-step' && address === page.link?.url) ||
          ('totp' in page && address === page.totp?.uri) ||
          (page.page === 'logged-out' &&
            [page.client?.url, page.goOn?.url, ...frames].includes(address.replaceAll('&amp;', '&'))) ||
          (page.page === 'consent' && address.startsWith('https://app.example/privacy?')) ||
          (page.page === 'account' && address === page.withdrawn?.home) ||
          (page.page === 'error' && address.replace('&amp;', '&') === page.goOn?.location);
        if (!isWayOut) assert.match(address, /^[/#][a-z]/, shown);
      }
      for (const [image] of shown.matchAll(/<img[^>]*>/g)) {
        assert.match(image, /alt="" referrerpolicy="no-referrer"/);
      }
    }
  });

  it('sends a form to this server once: a second click would lose what the first one answers', () => {
    // They have a script of their own; the form of an error page leads to a client.
    const others = ['choice', 'forward', 'repeat', 'logged-out', 'error'];
    for (const page of everyPage()) {
      const shown = html(page);
      if (others.includes(page.page) || !/<form [^>]*method="post"/.test(shown)) continue;
      assert.match(shown, /<script src="\/assets\/(?:once|password|passkey)\./, page.page);
    }
  });

  it('follows the path prefix of the base URL with all addresses of the server', () => {
    for (const page of everyPage()) {
      const shown = html(page, builtInPages, { prefix: '/auth' });
      for (const [, address = ''] of shown.matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]*)"/g)) {
        assert.match(address, /^\/auth\/assets\//);
      }
    }
  });

  it('connects a label with each field, and the message with its fields', () => {
    const login = html(samplePage('login'));
    const inputs = [...login.matchAll(/<input id="([^"]+)"[^>]*>/g)];
    assert.equal(inputs.length, 3);
    for (const [input, id = ''] of inputs) {
      assert.ok(login.includes(`<label for="${id}">`), id);
      assert.match(input, / aria-describedby="message"/);
    }
    assert.match(login, /<p class="message" id="message" role="alert">/);
    assert.match(login, /<title>Problem: Sign in/);
  });

  it('shows a neutral message as a hint and not as an error', () => {
    for (const page of ['login', 'consent'] as const) {
      const shown = html({ ...samplePage(page), isNeutral: true });
      assertValid(shown);
      assert.match(shown, /<p class="message message-neutral" id="message" role="status">/);
      assert.doesNotMatch(shown, /Problem/);
    }
  });

  it('asks for user name and password so that password managers understand it', () => {
    const login = html({ page: 'login', action: '/login', authState: 'sealed' });
    assert.match(login, /name="username" type="text"[^>]* autocomplete="username"[^>]* autofocus>/);
    assert.match(
      login,
      /name="password" type="password" value="" autocomplete="current-password"[^>]*required>/,
    );
    assert.match(login, /<form method="post" action="\/login">/);
    assert.match(login, /<input type="hidden" name="auth_state" value="sealed">/);
  });

  it('never sends a password back', () => {
    const fields = [
      { name: 'p', label: 'field.password', type: 'password', autocomplete: 'off', value: 'S3cret' },
    ] as const;
    assert.doesNotMatch(html({ page: 'login', action: '/login', authState: 'x', fields }), /S3cret/);
  });

  it('shows above everything else that a login proves nothing', () => {
    const login = html(samplePage('login', 'Anyone gets in'));
    assert.match(login, /<body class="page-login insecure">/);
    assert.ok(login.indexOf('class="danger"') < login.indexOf('<h1>'));
    assert.match(login, /<div class="danger"[\s\S]*Anyone gets in[\s\S]*<\/div>\n<h1>/);
  });

  it('says how something has ended, without a form, a client or an owner', () => {
    const { owner: _, ...step } = samplePage('login-step');
    const shown = html({ ...step, title: 'Done', text: 'Go back.', choices: [] });
    assert.match(shown, /<h1><bdi>Done<\/bdi><\/h1>/);
    assert.match(shown, /<bdi>Go back\.<\/bdi>/);
    assert.doesNotMatch(shown, /<form|class="asking"|class="owner"/);
  });

  it('names no address if the browser stays at the server', () => {
    const consent = samplePage('consent');
    const { host: _, ...unconfirmed } = consent.unconfirmed ?? { owner: '', identityProvider: '' };
    const destination = { consentText: 'Go back to your television.' };
    const shown = html({ ...consent, unconfirmed, destination });
    assert.match(shown, /class="unconfirmed"/);
    assert.match(shown, /Go back to your television\./);
    assert.doesNotMatch(textOf(shown), /leads you to|this address|go back to \u2068?Night job/);
  });

  it('link the policy and the terms of a client on the consent page, and tell their sites nothing', () => {
    const links = html(samplePage('consent', 'read')).match(/<a [^>]*privacy[^>]*>/g) ?? [];
    assert.deepEqual(links, [
      '<a href="https://app.example/privacy?a=1&amp;b=&quot;" target="_blank" rel="noopener noreferrer nofollow">',
    ]);
  });

  it('asks for consent with a box for each scope, allow before deny, both in the same form', () => {
    const consent = html(samplePage('consent', 'read'));
    const boxes = [...consent.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box);
    assert.deepEqual(boxes, [
      '<input type="checkbox" name="granted_scopes" value="email" checked>',
      '<input type="checkbox" name="granted_scopes" value="read" checked>',
      '<input type="checkbox" name="granted_scopes" value="write">',
    ]);
    const buttons = [...consent.matchAll(/<button [^>]*name="decision" value="(\w+)"/g)].map(
      ([, value]) => value,
    );
    assert.deepEqual(buttons, ['allow', 'deny']);
    assert.equal(consent.match(/<form (?!method="post" action="\/language")/g)?.length, 1);
  });

  it('marks scopes as new only where other scopes are not new', () => {
    const page = samplePage('consent');
    assert.equal(html(page).match(/class="badge"/g)?.length, 1);
    const allNew = { ...page, scopes: page.scopes.map((scope) => ({ ...scope, isNew: true })) };
    assert.doesNotMatch(html(allNew), /class="badge"/);
  });

  it('names the application that each link of the account page removes, and the one that its form removes', () => {
    const links = html(samplePage('account', 'a')).match(/<a [^>]*withdraw[\s\S]*?<\/a>/g) ?? [];
    assert.equal(links.length, 2);
    assert.match(links[1] ?? '', /href="\/account\/withdraw\?client=2"[\s\S]*of <bdi>B<\/bdi>/);
    assert.match(
      html(samplePage('withdraw', 'a')),
      /name="auth_state" value="x"[\s\S]*name="client" value="a"/,
    );
  });

  it('shows each name of the user once at the account page, as applications learn it', () => {
    const factsOf = (displayName: string, claims: Record<string, string>) => {
      const shown = html({ ...samplePage('account'), owner: { name: 'ada', displayName }, claims });
      return [...shown.matchAll(/<dt>(.*?)<\/dt>\n<dd><bdi>(.*?)<\/bdi>/g)].map(([, ...fact]) =>
        fact.join(': '),
      );
    };
    assert.deepEqual(factsOf('Ada', {}), ['Name: Ada', 'User name: ada']);
    assert.deepEqual(factsOf('Ada', { name: 'Ada L', preferred_username: 'al' }), [
      'Name: Ada L',
      'User name: al',
    ]);
    assert.deepEqual(factsOf('Ada', { name: 'ada', nickname: 'A' }), ['Name: ada', 'Nickname: A']);
  });

  it('gives the user advice and the operator a request id; the rest is for developers', () => {
    const shown = html({
      page: 'error',
      kind: 'invalid_request',
      status: 400,
      error: 'invalid_request',
      description: 'redirect_uri is missing.',
      requestId: 'request-7',
    });
    assert.match(shown, /<h1>We have to stop here<\/h1>\n<p class="advice">The application/);
    assert.match(shown, /<code>request-7<\/code>/);
    const details = shown.slice(shown.indexOf('<details>'), shown.indexOf('</details>'));
    assert.match(details, /redirect_uri is missing\./);
    assert.doesNotMatch(shown.replace(details, ''), /redirect_uri|invalid_request/);
  });

  it('shows the time to wait where it is known', () => {
    const page = {
      page: 'error',
      kind: 'too_many_requests',
      status: 429,
      error: 'too_many_requests',
      description: '',
      requestId: 'r',
    } as const;
    assert.match(html({ ...page, retryAfter: 30 }), /Wait <bdi>30 seconds<\/bdi>/);
    assert.match(html(page), /Wait a few minutes/);
  });
});

describe('the page for the choice of an identity provider', () => {
  const page = samplePage('choice', 'harmless');

  it('searches by a plain form, and each choice is a link', () => {
    const shown = html(page);
    assert.match(shown, /<form class="search" role="search" method="get" action="\/form">/);
    assert.match(shown, /<input type="hidden" name="auth_state" value="harmless">/);
    assert.match(
      shown,
      /<label for="search">[^<]+<\/label>\n[^\n]*\n<input id="search" name="q" type="search"/,
    );
    assert.equal(shown.match(/<a class="choice" href="\/choice\?choice=[ab]">/g)?.length, 3);
    assert.match(shown, /And <bdi>7<\/bdi> more/);
  });

  it('shows that nothing was found', () => {
    assert.match(html({ ...page, choices: [], matches: 0, last: undefined }), /Nothing found/);
  });

  it('shows pictures from trusted hosts only, else a letter of the name', () => {
    const pages = testPages({ pictureHosts: ['cdn.example'] });
    const shown = html(samplePage('choice', 'Night job', 'https://cdn.example/a.png'), pages);
    assert.equal(shown.match(/<img class="tile" src="https:\/\/cdn\.example\/a\.png"/g)?.length, 3);
    assert.equal(shown.match(/<span class="tile tile-\d" aria-hidden="true">E<\/span>/g)?.length, 1);
    assert.doesNotMatch(html(samplePage('choice', 'Night job', 'https://cdn.example/a.png')), /cdn\.example/);
  });

  it('can load search results from this server, and no other page of users can load anything', () => {
    for (const each of everyPage()) {
      const policy = builtInPages.render(each, pageRequest).headers['content-security-policy'] ?? '';
      assert.equal(
        policy.includes("connect-src 'self'"),
        ['choice', 'states'].includes(each.page),
        each.page,
      );
    }
  });
});

describe('the page that leads to another server', () => {
  it('posts the fields of the module, by a button too', () => {
    const shown = html({ page: 'forward', action: 'https://idp.example/sso?a=1&b', fields: { X: '"<' } });
    assert.match(shown, /<form id="forward" method="post" action="https:\/\/idp\.example\/sso\?a=1&amp;b">/);
    assert.match(shown, /<input type="hidden" name="X" value="&quot;&lt;">/);
    assert.match(shown, /<h1>You are going to <bdi>idp\.example<\/bdi><\/h1>/);
    assert.match(shown, /<button class="button button-primary" type="submit">/);
  });

  it('is a link where there are no fields to post', () => {
    const shown = html({ page: 'forward', action: 'https://idp.example/slo' });
    assert.match(shown, /<a class="button button-primary" id="forward" href="https:\/\/idp\.example\/slo"/);
    assert.doesNotMatch(shown, /<form/);
  });
});

describe('the page that posts a request again', () => {
  it('has every field unchanged, and a button', () => {
    const fields = [
      { name: 'state', value: ' "<\r\n' },
      { name: 'scope', value: 'read' },
      { name: 'scope', value: 'write' },
    ];
    const shown = html({ page: 'repeat', action: '/authorize', fields });
    assert.match(shown, /<form id="repeat" method="post" action="\/authorize">/);
    const inputs = [...shown.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    assert.deepEqual(
      inputs.map(([, name, value]) => [name, value]),
      [
        ['state', ' &quot;&lt;\r\n'],
        ['scope', 'read'],
        ['scope', 'write'],
      ],
    );
    assert.match(shown, /<button class="button button-primary" type="submit">Continue<\/button>/);
  });
});

describe('an error with a text of its own', () => {
  const page = {
    page: 'error',
    kind: 'access_denied',
    status: 403,
    error: 'access_denied',
    description: '',
    requestId: 'r',
    text: { key: 'own', values: { host: 'a<b' } },
  } as const;

  it('is shown with its text, and with the usual text where the locale has none', () => {
    const moduleTexts = { en: { 'own.title': 'Not from {host}', 'own.advice': 'Ask {host}.' } };
    const shown = html(page, testPages({ moduleTexts }));
    assert.match(
      shown,
      /<h1>Not from &#x2068;a&lt;b&#x2069;<\/h1>\n<p class="advice">Ask <bdi>a&lt;b<\/bdi>\.<\/p>/,
    );
    assert.match(html(page), /<h1>You have no access<\/h1>/);
  });

  it('is shown in the language of the browser; a module can replace texts of the server too', () => {
    const moduleTexts = { en: { 'login.title': 'Module' }, nl: { 'own.title': 'Eigen' } };
    const pages = testPages({ moduleTexts });
    assert.match(html(samplePage('login'), pages), /<h1>Module<\/h1>/);
    assert.match(html(page, pages, { acceptLanguage: 'nl' }), /<h1>Eigen<\/h1>/);
  });
});

describe('the headers of a page', () => {
  const headersOf = (request = {}, options = {}) =>
    testPages(options).render({ page: 'logged-out' }, { ...pageRequest, ...request }).headers;

  it('prevent scripts, frames and caches, and hide the address of the referring page', () => {
    assert.deepEqual(headersOf(), {
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      vary: 'Accept-Language, Cookie',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()',
      'strict-transport-security': 'max-age=63072000',
    });
  });

  it('require TLS only where the base URL has it', () => {
    assert.equal(headersOf({}, { isHttps: false })['strict-transport-security'], undefined);
  });

  it('let a form lead to the target of its redirect, and to no other address', () => {
    const policyFor = (formTarget: string) =>
      headersOf({ formTargets: [formTarget] })['content-security-policy'];
    for (const [target, source] of [
      ['https://app.example', 'https://app.example'],
      ['http://127.0.0.1:4711', 'http://127.0.0.1:4711'],
      ['com.example.app:', 'com.example.app:'],
      // Content Security Policy has no grammar for such a host.
      ['http://[::1]:4711', 'http:'],
    ] as const) {
      assert.match(
        policyFor(target) ?? '',
        new RegExp(`; form-action 'self' ${source.replaceAll('.', '\\.')}; `),
      );
    }
    for (const formTarget of [
      "https://a.example; script-src 'unsafe-inline'",
      'https://a.example *',
      '*',
      '',
    ]) {
      assert.throws(() => headersOf({ formTargets: [formTarget] }), /expected an origin or a scheme/);
    }
  });
});

describe('a picture of a client', () => {
  const shownWith = (picture: string, pictureHosts: string[]) => {
    const pages = testPages({ pictureHosts });
    return everyPage('Night job', picture)
      .filter(({ page }) => page !== 'logged-out')
      .map((page) => pages.render(page, pageRequest));
  };

  it('is shown from a host that the operator trusts, which the policy of that page then permits', () => {
    const [login] = shownWith('https://cdn.example/a.png?x=1&y=2', ['CDN.example']);
    assert.match(login?.html ?? '', /<img class="tile" src="https:\/\/cdn\.example\/a\.png\?x=1&amp;y=2"/);
    assert.match(login?.headers['content-security-policy'] ?? '', /img-src 'self' https:\/\/cdn\.example;/);
  });

  for (const picture of [
    '',
    'https://elsewhere.example/a.png',
    'https://cdn.example.evil.example/a.png',
    'https://cdn.example@evil.example/a.png',
    'https://user@cdn.example/a.png',
    'https://cdn.example:8443/a.png',
    'http://cdn.example/a.png',
    '//cdn.example/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
  ]) {
    it(`is a letter instead of ${JSON.stringify(picture)}, and is not requested`, () => {
      for (const { html: shown, headers } of shownWith(picture, ['cdn.example'])) {
        assert.doesNotMatch(shown, /<img class="tile"/);
        assert.match(headers['content-security-policy'] ?? '', /img-src 'self';/);
      }
    });
  }

  it('is a letter for every client where no host is trusted', () => {
    for (const { html: shown } of shownWith('https://cdn.example/a.png', [])) {
      assert.doesNotMatch(shown, /cdn\.example/);
    }
  });
});

/** Tags with the names of their attributes: external text must not change them. */
function tagsOf(page: string): string[] {
  return [...page.matchAll(/<\/?[a-z][^\s>]*(?:\s+[a-z-]+(?:="[^"]*")?)*\s*>/g)].map(([tag]) =>
    tag.replaceAll(/="[^"]*"/g, ''),
  );
}
