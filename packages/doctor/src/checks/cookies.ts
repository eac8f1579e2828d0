import { EchoError } from '../echo.ts';
import { broken, type Finding, ok, skipped } from '../finding.ts';
import { cookieFindings, headerFindings } from '../page.ts';
import type { Check, Reached } from '../patient.ts';
import { withoutEcho } from './identity.ts';
import { pageOf } from './login-page.ts';

/** Whether the pages and cookies of the server reach a browser, and the cookies come back. */
export const cookies: Check = {
  name: 'cookies',
  async run(server: Reached): Promise<readonly Finding[]> {
    const page = await pageOf(server);
    return [...headerFindings(page), ...cookieFindings(page, server.baseUrl), await wayBack(server)];
  },
};

async function wayBack({ echo }: Reached): Promise<Finding> {
  if (echo === undefined) return skipped('whether cookies come back is not known', withoutEcho);
  const cookie = `doctor=${'x'.repeat(100)}`;
  try {
    const { cookie_length: length } = await echo({ headers: { cookie } });
    if (length === cookie.length) return ok('cookies of a browser reach the server');
    return broken(`of ${cookie.length} characters of cookies, ${length} reach the server`, {
      expected: 'all cookies of a request',
      advice: 'let the proxy pass the header Cookie on (nginx: no proxy_set_header Cookie)',
    });
  } catch (error) {
    if (!(error instanceof EchoError)) throw error;
    return broken(`a request with a cookie is answered with ${error.message}`, {
      expected: 'status 200',
      advice: 'let the proxy pass requests with cookies on',
    });
  }
}
