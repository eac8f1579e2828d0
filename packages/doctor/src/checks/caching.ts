import { broken, type Finding, ok } from '../finding.ts';
import { ageFinding } from '../page.ts';
import type { Check, Reached } from '../patient.ts';
import { pageOf } from './login-page.ts';

/** Whether a cache on the way stores what only one browser must get. */
export const caching: Check = {
  name: 'caching',
  async run(server: Reached): Promise<readonly Finding[]> {
    const [first, second] = [await pageOf(server), await pageOf(server)];
    const cookiesOf = (reply: typeof first) => (reply.headers['set-cookie'] ?? []).join('\n');
    // Each page has a state of its own, sealed with a random number.
    const isSame =
      first.text === second.text || (cookiesOf(first) !== '' && cookiesOf(first) === cookiesOf(second));
    if (isSame && first.status === 200) {
      return [
        broken('two browsers get the same login page: a cache stores it', {
          expected: 'a new page for each request, because its Cache-Control is no-store',
          advice:
            'let the proxy respect Cache-Control (nginx: no proxy_ignore_headers Cache-Control, no proxy_cache for this server), and empty its cache. Until then a user can get the session of another',
        }),
      ];
    }
    const old = ageFinding(second);
    return old.length > 0 ? old : [ok('no cache stores the login page')];
  },
};
