import { Button } from '@mantine/core';
import type { AuthorizationError } from '../session/authorization.ts';
import type { SignInOptions } from '../session/sign-in.ts';

interface SignedOutProps {
  /** `undefined`: there was an answer to a request that this window has not sent. */
  readonly error: AuthorizationError | undefined;
  readonly productName: string;
  readonly onSignIn: (options?: SignInOptions) => void;
}

const reasons: Readonly<Record<string, string>> = {
  access_denied: 'These pages were not allowed to act for you, so there is nothing that they can show.',
  unauthorized_client:
    'The administration pages are not registered as they should be. On the server, run: watchword bootstrap',
  temporarily_unavailable: 'The server cannot answer right now. Try again in a moment.',
};

/** Instead of the application, when there is no token. */
export function SignedOut({ error, productName, onSignIn }: SignedOutProps) {
  const text =
    error === undefined
      ? 'The address held a sign-in that this window had not asked for. It was not used.'
      : (reasons[error.error] ?? 'The server did not sign you in.');
  return (
    <main className="lone">
      <p className="lone-brand">{productName}</p>
      <h1>You are not signed in</h1>
      <p>{text}</p>
      {error !== undefined && (
        <p className="quiet">
          <code>{error.error}</code>
          {error.description !== '' && ` – ${error.description}`}
        </p>
      )}
      <Button size="sm" onClick={() => onSignIn(error?.error === 'access_denied' ? { askAgain: true } : {})}>
        Sign in
      </Button>
    </main>
  );
}
