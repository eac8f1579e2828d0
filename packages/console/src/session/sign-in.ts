import { type AuthorizationError, authorizationUrl, type Grant, newState } from './authorization.ts';
import type { PendingRequests } from './pending.ts';

/** The two ways in which this window gets a token. */
export interface SignIn {
  /** Leaves the page, and returns to `route`. */
  inThisWindow(route: string, options?: SignInOptions): void;
  /**
   * Opens a window, so that this page and its input stay. Must be called while a click is handled, because otherwise browsers
   * block the window. `undefined` if the browser blocked it.
   */
  inPopup(options?: SignInOptions): PopupSignIn | undefined;
}

export interface SignInOptions {
  readonly askAgain?: boolean;
  /** Seconds since the login, at most. */
  readonly maxAge?: number | undefined;
}

export interface PopupSignIn {
  readonly answer: Promise<Grant | AuthorizationError>;
  /** Stops waiting; the answer is rejected. */
  abandon(): void;
}

const popupFeatures = 'popup,width=520,height=720';

export function signIn(
  baseUrl: string,
  pending: PendingRequests,
  go: (url: string) => void = (url) => location.replace(url),
): SignIn {
  return {
    inThisWindow(route, options) {
      const state = newState();
      pending.add(state, { mode: 'page', route });
      go(authorizationUrl({ baseUrl, state, ...options }));
    },
    inPopup(options) {
      const state = newState();
      // The other window gets a copy of the storage of this one, and finds its purpose there.
      pending.add(state, { mode: 'popup', route: '/' });
      const answers = answerChannel(state);
      const opened = window.open(authorizationUrl({ baseUrl, state, ...options }), '_blank', popupFeatures);
      pending.take(state);
      if (opened === null) {
        answers.close();
        return undefined;
      }
      // A page of another origin in the other window must not navigate this window.
      opened.opener = null;
      const { promise: answer, resolve, reject } = Promise.withResolvers<Grant | AuthorizationError>();
      answers.onmessage = ({ data }: MessageEvent<Grant | AuthorizationError>) => {
        answers.close();
        resolve(data);
      };
      return {
        answer,
        abandon() {
          answers.close();
          opened.close();
          reject(new Error('another window was opened for it'));
        },
      };
    },
  };
}

/** Hands the answer to the window that asked for it: it alone knows the name of the channel. */
export function deliver(state: string, answer: Grant | AuthorizationError): void {
  const channel = answerChannel(state);
  channel.postMessage(answer);
  channel.close();
}

function answerChannel(state: string): BroadcastChannel {
  return new BroadcastChannel(`watchword.sign-in.${state}`);
}
