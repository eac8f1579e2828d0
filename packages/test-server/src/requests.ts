import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Not by `fetch`, which tests replace, and whose connections stay open. */
export async function send(
  url: string,
  { method = 'GET', headers = {}, body }: RequestParts = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(url, { method, headers, agent: false }, (response) => {
    text(response).then(
      (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read }),
      reject,
    );
  });
  sent.on('error', reject).end(body);
  return promise;
}

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** HTTP Basic (RFC 6749 §2.3.1). */
export function basic(id: string, secret: string): { readonly authorization: string } {
  const encoded = [id, secret].map((part) => encodeURIComponent(part)).join(':');
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
}
