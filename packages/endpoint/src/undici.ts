import { type ClientOptions, clientOptions, withText, withTimeoutSignal } from './client.ts';
import { guarded } from './endpoint-error.ts';
import type { RequestOptions } from './types/options.ts';

/** Request options as the arguments of undici's `request`: `request(...toUndici(endpoint('GET /user')))`. */
export const toUndici = guarded((options: RequestOptions): [url: string, options: ClientOptions] => {
  const result = withTimeoutSignal(clientOptions(options));
  const body = withText(options.body, result.headers);
  if (body !== undefined) result.body = body;
  return [options.url, result];
});
