import { broken, type Finding, ok, skipped } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { isOwnError, jsonOf, shownReply } from '../send.ts';
import { isWithin } from '../within.ts';

/** Whether the credentials of clients and APIs arrive: some proxies use or remove the header field Authorization. */
export const authorization: Check = {
  name: 'authorization',
  async run({ baseUrl, metadata, send }: Reached): Promise<readonly Finding[]> {
    const url = String(metadata.userinfo_endpoint);
    if (!isWithin(baseUrl, url)) return [];
    // A token that nobody has. The error for a request without one differs (RFC 6750 §3.1), and no cache has an answer to POST.
    const reply = await send(url, { headers: { authorization: 'Bearer watchword-doctor' }, form: {} });
    const isOwn = isOwnError(reply);
    if (isOwn && jsonOf(reply).error === 'invalid_token') return [ok('Authorization reaches the server')];
    const came = shownReply(reply);
    if (reply.status !== 401) return [skipped(`whether Authorization arrives is not known: ${url}: ${came}`)];
    const what = isOwn ? 'removes or changes' : 'answers itself a request with';
    return [
      broken(`the proxy ${what} the header Authorization: ${url} answers with ${came}`, {
        expected: 'the error invalid_token of the server, for a token that nobody has',
        advice:
          'let the proxy pass Authorization on unchanged (nginx: proxy_set_header Authorization $http_authorization, and no auth_basic). Until then clients and APIs cannot authenticate by it, whatever their secrets are',
      }),
    ];
  },
};
