import { type ModuleEndpoint, type ModuleRequest, OAuthError, submitted } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { OidcOptions } from '../options/read-options.ts';

const bodyLimit = 64 * 1024;
const handlePattern = /^[0-9a-f-]{36}$/;
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
    answer: async ({ parameters }) => ({
      type: 'resume',
      authState: stateOf(parameters),
      submission: new Map(known.map((name) => [name, [submitted(parameters, name)]])),
    }),
  };
}

/** A handle in the form that this server issues. @throws OAuthError */
function stateOf(parameters: ModuleRequest['parameters']): string {
  const repeated = known.find((name) => (parameters.get(name) ?? []).length > 1);
  if (repeated !== undefined) {
    throw new OAuthError('invalid_request', {
      description: `The parameter ${repeated} is given more than once.`,
      rule: 'parameter_once',
    });
  }
  const state = submitted(parameters, 'state');
  if (handlePattern.test(state)) return state;
  throw new OAuthError('invalid_request', {
    description: 'The state is missing or was not issued by this server.',
    rule: 'valid_page',
    text: { key: 'upstream.stale' },
  });
}
