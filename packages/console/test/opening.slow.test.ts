import { after, before, describe, it } from 'node:test';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { assertExplained } from './support/explained-opening.ts';

describe('the GUI of a server that is known by an address of its own machine', () => {
  let browser: TestBrowser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());

  it('shows on its own page why it does not open on another machine', () =>
    assertExplained(browser, undefined, {
      title: 'Administration is open on the server itself',
      advice: /known as http:\/\/localhost:\d+\. .*--base-url https:\/\/id\.example$/s,
      picture: 'console-other-machine',
    }));
});
