/** A kind of request, with the status of its answer. */
export type Kind = readonly [name: string, status: number, parts: Parts];

/** What a request has beside its usual head. */
export interface Parts {
  readonly method?: 'GET' | 'POST';
  readonly target: string;
  readonly fields?: readonly string[];
  readonly body?: string;
}

export const kib = 1024;
export const form = 'Content-Type: application/x-www-form-urlencoded';
/** An authorization request of the demo. */
export const authorize =
  '/authorize?response_type=code&client_id=demo-app&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export function bytesOf(
  port: number,
  address: string,
  { method = 'GET', target, fields = [], body = '' }: Parts,
): Buffer {
  const own = ['Connection: close', `X-Forwarded-For: ${address}`];
  const head = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...fields, ...own];
  if (body !== '') head.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** Different values, as many as fit into so many bytes. */
export function filled(bytes: number, separator: string, value: (each: number) => string): string {
  const values: string[] = [];
  for (let size = 0; ; ) {
    const next = value(values.length);
    size += next.length + separator.length;
    if (size > bytes) return values.join(separator);
    values.push(next);
  }
}

/** A JWT that names a key of the server, with much to read and a signature of nobody. */
export async function forgedToken(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/oauth2/jwks`);
  const { keys } = (await answer.json()) as { keys: readonly { kid: string; alg: string }[] };
  const [key] = keys;
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const header = JSON.stringify({ kid: key?.kid, alg: key?.alg, typ: 'at+jwt' });
  const depth = 1500;
  const payload = `{"nested":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  return `${part(header)}.${part(payload)}.${part('s'.repeat(64))}`;
}
