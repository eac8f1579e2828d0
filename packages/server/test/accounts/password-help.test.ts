import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';

/** The login page in each of the languages. */
async function loginPages(settings: Readonly<Record<string, string>>, languages: readonly string[]) {
  await using server = await startServer(settings);
  const pages = languages.map((language) =>
    new UserAgent({ 'accept-language': language }).get(`${server.baseUrl}/account`),
  );
  return (await Promise.all(pages)).map(({ html }) => html);
}

describe('the line below the password field', () => {
  const url = 'mailto:help@id.example?subject=a&body=b';

  it('is not there unless the operator sets it', async () => {
    const [html = ''] = await loginPages({}, ['en']);
    assert.doesNotMatch(html, /class="help"|Forgot/);
  });

  it('leads to the address of the operator, with a text of each language', async () => {
    const line = (text: string) =>
      `<p class="help"><a href="mailto:help@id.example?subject=a&amp;body=b" rel="noreferrer">${text}</a></p>`;
    const [german = ''] = await loginPages({ 'pages.passwordHelp.url': url }, ['de']);
    assert.ok(german.includes(line('Passwort vergessen?')));
    const texts = JSON.stringify({ en: 'Ask <us>', nl: 'Vraag ons' });
    const both = { 'pages.passwordHelp.url': url, 'pages.passwordHelp.text': texts };
    const [dutch = '', french = ''] = await loginPages(both, ['nl', 'fr']);
    assert.ok(dutch.includes(line('Vraag ons')));
    assert.match(french, /<span lang="en" dir="ltr">Ask &lt;us&gt;<\/span>/);
  });

  it('is a text alone without an address', async () => {
    const [html = ''] = await loginPages({ 'pages.passwordHelp.text': 'Ask at the desk' }, ['pl']);
    assert.ok(html.includes('<p class="help"><bdi>Ask at the desk</bdi></p>'), html);
  });
});
