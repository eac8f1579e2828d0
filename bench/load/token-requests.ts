export interface RegisteredClient {
  readonly clientId: string;
  readonly secret: string;
}

export interface RegisteredResourceServer {
  readonly key: string;
  readonly secret: string;
}

export const demoService: RegisteredClient = { clientId: 'demo-service', secret: 'demo-service-secret' };
export const demoResourceServer: RegisteredResourceServer = {
  key: 'demo-resource-server',
  secret: 'demo-resource-server-secret',
};

/** The bytes of a request for a token of the client. */
export function tokenRequest(port: number, client = demoService, path = '/oauth2/token'): Buffer {
  return formRequest(port, path, client, { grant_type: 'client_credentials' });
}

/** The bytes of a request that rotates a refresh token. */
export function refreshRequest(
  port: number,
  refreshToken: string,
  client: RegisteredClient,
  path = '/oauth2/token',
): Buffer {
  return formRequest(port, path, client, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

export function tokenInfoRequest(port: number, token: string, { key, secret } = demoResourceServer): Buffer {
  return Buffer.from(
    `GET /v1/tokeninfo?access_token=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${basic(`${key}:${secret}`)}\r\nAccept: application/json\r\n\r\n`,
  );
}

/** Tokens of the client, at least so many. @throws Error if the server does not issue one */
export async function issueTokens(
  port: number,
  count: number,
  atOnce: number,
  client = demoService,
  path = '/oauth2/token',
): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const answers = Array.from({ length: atOnce }, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { authorization: authorizationOf(client) },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      if (answer.status !== 200) throw new Error(`no token: ${answer.status}`);
      return ((await answer.json()) as { access_token: string }).access_token;
    });
    tokens.push(...(await Promise.all(answers)));
  }
  return tokens;
}

/** What the real server answers, for the bare one to repeat. */
export async function sampleAnswer(
  request: Buffer,
  port: number,
): Promise<{ headers: Record<string, string>; body: string }> {
  const [head = '', body] = request.toString().split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: headers.Authorization ?? '', 'content-type': headers['Content-Type'] ?? '' },
    ...(body && { body }),
  });
  const { date, connection, 'keep-alive': keepAlive, ...kept } = Object.fromEntries(answer.headers);
  return { headers: kept, body: await answer.text() };
}

/** The bytes of a form that the client posts. @param client absent: the form says who it is */
export function formRequest(
  port: number,
  path: string,
  client: RegisteredClient | undefined,
  fields: Readonly<Record<string, string>>,
): Buffer {
  const body = new URLSearchParams(fields).toString();
  const authorization = client === undefined ? '' : `Authorization: ${authorizationOf(client)}\r\n`;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${authorization}Accept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function authorizationOf({ clientId, secret }: RegisteredClient): string {
  return basic(`${clientId}:${secret}`);
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Found without reading the rest of the answer, so that the generator costs little. */
export function refreshTokenOf(body: string): string {
  const token = /"refresh_token":"([^"]+)"/.exec(body)?.[1];
  if (token === undefined) throw new Error('the answer has no refresh token');
  return token;
}
