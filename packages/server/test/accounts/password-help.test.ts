import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';

async function loginPage(settings: Readonly<Record<string, string>>, language = 'en'): Promise<string> {
  await using server = await startServer(settings);
  return (await new UserAgent({ 'accept-language': language }).get(`${server.baseUrl}/account`)).html;
}

describe('the line below the password field', () => {
  const url = 'mailto:help@id.example?subject=a&body=b';

  it('is not there unless the operator sets it', async () => {
    assert.doesNotMatch(await loginPage({}), /class="help"|Forgot/);
  });

  it('leads to the address of the operator, with a text of each language', async () => {
    const line = (text: string) =>
      `<p class="help"><a href="mailto:help@id.example?subject=a&amp;body=b" rel="noreferrer">${text}</a></p>`;
    assert.ok(
      (await loginPage({ 'pages.passwordHelp.url': url }, 'de')).includes(line('Passwort vergessen?')),
    );
    const texts = JSON.stringify({ en: 'Ask <us>', nl: 'Vraag ons' });
    const both = { 'pages.passwordHelp.url': url, 'pages.passwordHelp.text': texts };
    assert.ok((await loginPage(both, 'nl')).includes(line('Vraag ons')));
    assert.match(await loginPage(both, 'fr'), /<span lang="en" dir="ltr">Ask &lt;us&gt;<\/span>/);
  });

  it('is a text alone without an address', async () => {
    const html = await loginPage({ 'pages.passwordHelp.text': 'Ask at the desk' }, 'pl');
    assert.ok(html.includes('<p class="help"><bdi>Ask at the desk</bdi></p>'), html);
  });
});
