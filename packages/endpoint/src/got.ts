import { type ClientOptions, clientOptions, withText } from './client.ts';
import { guarded } from './endpoint-error.ts';
import type { RequestOptions } from './types/options.ts';

/** Request options as the arguments of got: `got(...toGot(endpoint('GET /user')))`. */
export const toGot = guarded((options: RequestOptions): [url: string, options: ClientOptions] => {
  const result = clientOptions(options);
  if (typeof result.timeout === 'number') result.timeout = { request: result.timeout };
  const body = withText(options.body, result.headers);
  if (body !== undefined) result.body = body;
  return [options.url, result];
});
