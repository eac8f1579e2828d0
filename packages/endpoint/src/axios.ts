import { type ClientOptions, clientOptions, withText } from './client.ts';
import { same } from './data.ts';
import { guarded } from './endpoint-error.ts';
import type { RequestOptions } from './types/options.ts';

/** Request options as a configuration of axios: `axios(toAxios(endpoint('GET /user')))`. */
export const toAxios = guarded((options: RequestOptions): ClientOptions & { url: string } => {
  const result = clientOptions(options);
  let data = withText(options.body, result.headers);
  // axios in Node.js takes no other view of bytes than its Buffer.
  if (ArrayBuffer.isView(data)) data = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  // The body is what is sent already. axios would read text again, and write it anew.
  const sent = data === undefined ? {} : { data, transformRequest: [same] };
  return { ...result, url: options.url, ...sent };
});
