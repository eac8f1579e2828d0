import { newState } from '../../../session/authorization.ts';
import { loginTestChannel, loginTestRedirectUri } from '../../../session/login-test-answer.ts';

/** The values of one login test. They are never stored. */
export interface TestRequest {
  /** The parameters of the authorization request (OpenID Connect Core §3.1.2.1). */
  readonly parameters: Readonly<Record<string, string>>;
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface TestOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Of OpenID Connect, beside `openid`. */
  readonly scopes: readonly string[];
  /** Asks for the login also where there is a session. */
  readonly asksAgain: boolean;
}

/** Random values, made before the click that opens a window: browsers block a window that is opened later. */
export interface Randoms {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly codeChallenge: string;
}

export async function newRandoms(): Promise<Randoms> {
  const codeVerifier = newState();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  const codeChallenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return { state: newState(), nonce: newState(), codeVerifier, codeChallenge };
}

export function testRequest(
  { baseUrl, clientId, scopes, asksAgain }: TestOptions,
  { state, nonce, codeVerifier, codeChallenge }: Randoms,
): TestRequest {
  const redirectUri = loginTestRedirectUri(baseUrl);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: ['openid', ...scopes].join(' '),
    state,
    nonce,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(asksAgain && { prompt: 'login' }),
  };
  const url = `${baseUrl}/authorize?${new URLSearchParams(parameters)}`;
  return { parameters, url, state, nonce, codeVerifier, redirectUri };
}

export interface OpenedTest {
  readonly answer: Promise<URLSearchParams>;
  /** Stops waiting; the answer stays open. */
  abandon(): void;
}

const popupFeatures = 'popup,width=520,height=720';

/** Opens the window of the login; `undefined` if the browser blocked it. */
export function openTest({ url, state }: TestRequest): OpenedTest | undefined {
  const channel = loginTestChannel(state);
  const opened = window.open(url, '_blank', popupFeatures);
  if (opened === null) {
    channel.close();
    return undefined;
  }
  // A page of another origin in the other window must not navigate this window.
  opened.opener = null;
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    channel.close();
    resolve(new URLSearchParams(data));
  };
  return {
    answer,
    abandon() {
      channel.close();
      opened.close();
    },
  };
}
