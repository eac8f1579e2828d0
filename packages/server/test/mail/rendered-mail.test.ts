import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Mail } from '@watchword/protocol';
import { mailOfEachKind } from '@watchword/server-testkit/neighbours/mails';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { parse } from 'parse5';
import { builtInPages, testPages } from '../support/pages.ts';

const baseUrl = 'https://id.example/auth';
const [first] = mailOfEachKind();
const render = (mail: Mail, pages = builtInPages) => pages.mail(mail, baseUrl);
const named = (name: string): Mail => ({
  kind: 'password_changed',
  to: 'emma@example.org',
  language: 'en',
  values: { name, time: 0 },
});

describe('a mail', () => {
  it('says the same in HTML and in plain text, in every language, with a subject', () => {
    for (const language of builtInPages.languages()) {
      for (const mail of mailOfEachKind('emma@example.org', language)) {
        const { language: shown, subject, text, html } = render(mail);
        const label = `${mail.kind} ${language}`;
        assert.equal(shown, language, label);
        const seen = textOf(html).replaceAll(/\s+/g, ' ');
        for (const line of text.split('\n').filter(Boolean))
          assert.ok(
            seen.includes(line.replace(/:$/, '').trim().replaceAll(/\s+/g, ' ')),
            `${label}: ${line}`,
          );
        assert.ok(subject !== '' && seen.includes(subject), label);
        assert.doesNotMatch(
          `${subject}${text}${html}`,
          /\{\w+\}|mail\.\w+\.|[\uE000\uE001]|undefined/,
          label,
        );
      }
    }
  });

  it('has a link below the base URL, and the code that can be typed in its place', () => {
    assert.ok(first !== undefined);
    const { text, html } = render(first);
    assert.match(text, /^https:\/\/id\.example\/auth\/some\/path\?link=secret$/m);
    assert.match(text, /123456/);
    assert.match(html, /<a href="https:\/\/id\.example\/auth\/some\/path\?link=secret"/);
  });

  for (const path of ['@evil.example', '//evil.example', 'https://evil.example', '/a b', '/a\r\nb', '']) {
    it(`has no link that begins with ${JSON.stringify(path)}, which could lead to another host`, () => {
      const values = { path, expires: 0 };
      const mail: Mail = { kind: 'invitation', to: 'a@b.c', values };
      assert.throws(() => render(mail), TypeError);
    });
  }

  it('tells no time but with its zone, in the form of the language', () => {
    const [mail] = mailOfEachKind('a@b.c', 'de').filter(({ kind }) => kind === 'password_changed');
    assert.ok(mail !== undefined);
    assert.match(render(mail).text, /3\. Mai 2026 um 14:05 UTC/);
  });

  it('shows a name as a text: not as HTML, and without hidden characters or a line of its own', () => {
    const { text, html } = render(named('<img src=x>\r\nBcc: a\u202eb'));
    assert.ok(text.includes('<img src=x> Bcc: a\uFFFDb'));
    assert.ok(html.includes('&lt;img src=x&gt; Bcc: a\uFFFDb'));
  });

  it('has the name and the colour that administrators set', () => {
    const pages = testPages();
    const variables = new Map([['--accent', '#aa3300']]);
    const themes = [{ media: '(prefers-color-scheme: light)', variables }];
    pages.brand({ productName: 'Example', logo: undefined, themes, texts: new Map() });
    const { text, html } = render(named('emma'), pages);
    assert.match(text, /^Example\n/);
    assert.match(html, /background:#aa3300/);
    assert.doesNotMatch(text, /Watchword/);
  });

  it('is written from right to left where its language is, with names in their place', async () => {
    await using directory = await temporaryDirectory();
    const arabic = {
      'mail.password_changed.subject': 'كلمة السر',
      'mail.password_changed.text': 'الحساب {name}',
    };
    await writeFile(directory.file('ar.json'), JSON.stringify(arabic));
    const pages = testPages({ locales: directory.path });
    const { html, text } = render({ ...named('emma'), language: 'ar' }, pages);
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(html, /<span lang="en" dir="ltr">/);
    assert.ok(text.includes('الحساب \u2068emma\u2069'));
  });
});

function textOf(html: string): string {
  const texts: string[] = [];
  const walk = (node: { nodeName: string; value?: string; childNodes?: unknown[] }) => {
    if (node.nodeName === '#text') texts.push(node.value ?? '');
    if (node.nodeName === 'style' || node.nodeName === 'title') return;
    for (const child of node.childNodes ?? []) walk(child as typeof node);
    if (/^(?:p|h1)$/.test(node.nodeName)) texts.push('\n');
  };
  walk(parse(html) as Parameters<typeof walk>[0]);
  return texts.join('');
}
