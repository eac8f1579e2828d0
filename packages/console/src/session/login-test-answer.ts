const page = '/client/login-test.html';

/** Where the authorization server sends the browser back to after a login test. */
export function loginTestRedirectUri(baseUrl: string): string {
  return `${baseUrl}${page}`;
}

/** Hands the answer to the window that runs the test: it alone knows the `state`, which names the channel. */
export function deliverLoginTest(answer: URLSearchParams): void {
  const state = answer.get('state');
  if (state === null || state === '') return;
  const channel = loginTestChannel(state);
  channel.postMessage(answer.toString());
  channel.close();
}

export function loginTestChannel(state: string): BroadcastChannel {
  return new BroadcastChannel(`watchword.login-test.${state}`);
}
