import { authorizationUrl, type Grant, newState, type Refusal } from './authorization.ts';
import type { PendingRequests } from './pending.ts';

/** How this window gets tokens. */
export interface SignIn {
  /** Leaves the page; it comes back to `route`. */
  inThisWindow(route: string, options?: SignInOptions): void;
  /**
   * Opens a window for it, so that this page stays as it is. To be called while a click is handled, else browsers
   * do not let it open. `undefined` when one did not open all the same.
   */
  inPopup(options?: SignInOptions): PopupSignIn | undefined;
}

export interface SignInOptions {
  readonly askAgain?: boolean;
}

export interface PopupSignIn {
  readonly answer: Promise<Grant | Refusal>;
  /** Waits no longer; the answer is rejected. */
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
      // The other window begins with a copy of this one's storage, and so knows what it is for.
      pending.add(state, { mode: 'popup', route: '/' });
      const answers = answerChannel(state);
      const opened = window.open(authorizationUrl({ baseUrl, state, ...options }), '_blank', popupFeatures);
      pending.take(state);
      if (opened === null) {
        answers.close();
        return undefined;
      }
      // A page of another origin that is shown there on the way must not navigate this window.
      opened.opener = null;
      const { promise: answer, resolve, reject } = Promise.withResolvers<Grant | Refusal>();
      answers.onmessage = ({ data }: MessageEvent<Grant | Refusal>) => {
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
export function deliver(state: string, answer: Grant | Refusal): void {
  const channel = answerChannel(state);
  channel.postMessage(answer);
  channel.close();
}

function answerChannel(state: string): BroadcastChannel {
  return new BroadcastChannel(`watchword.sign-in.${state}`);
}
