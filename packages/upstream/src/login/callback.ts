import { type ModuleEndpoint, returnedHandle, submittedOnce } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { OidcOptions } from '../options/read-options.ts';

const bodyLimit = 64 * 1024;
const known = ['state', 'code', 'iss', 'error', 'error_description'];

/**
 * The redirect URI. The response continues the login whose `state` this browser has in a cookie. By `form_post` it comes without cookies, so
 * that the browser posts it once more from here.
 */
export function callbackEndpoint({ responseMode }: Pick<OidcOptions, 'responseMode'>): ModuleEndpoint {
  const method = responseMode === 'form_post' ? 'POST' : 'GET';
  return {
    path: paths.callback,
    method,
    ...(method === 'POST' && { bodyLimit, repeatsPosts: true }),
    async answer({ parameters }) {
      const submission = new Map(known.map((name) => [name, [submittedOnce(parameters, name)]]));
      return { type: 'resume', authState: returnedHandle(submission, 'state', 'upstream.stale'), submission };
    },
  };
}
