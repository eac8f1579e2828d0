import { startSite } from '@watchword/testkit/site';
import { browserApp, browserAppGuide } from '../support/browser-app.ts';
import { describeBrowserApp, type Website } from '../support/browser-app-rules.ts';
import { guidedClient } from '../support/guided-site.ts';

describeBrowserApp('as in the guide', guidedWebsite, false);

async function guidedWebsite(): Promise<Website> {
  await using started = new AsyncDisposableStack();
  const client = started.use(await guidedClient(browserAppGuide));
  started.use(await startSite(await browserApp(client.adapt), undefined, client.port));
  const running = started.move();
  const { origin, server } = client;
  return { origin, issuer: server.service.baseUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
