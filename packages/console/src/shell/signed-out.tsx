import { Button } from '../controls/button.tsx';
import type { AuthorizationError } from '../session/authorization.ts';
import type { SignInOptions } from '../session/sign-in.ts';
import { t } from '../texts/texts.ts';

interface SignedOutProps {
  /** `undefined`: there was an answer to a request that this window has not sent. */
  readonly error: AuthorizationError | undefined;
  readonly productName: string;
  readonly onSignIn: (options?: SignInOptions) => void;
}

const explained = ['access_denied', 'unauthorized_client', 'temporarily_unavailable'] as const;

/** Instead of the application, when there is no token. */
export function SignedOut({ error, productName, onSignIn }: SignedOutProps) {
  const reason =
    error === undefined ? 'unexpected' : (explained.find((code) => code === error.error) ?? 'other');
  return (
    <main className="lone">
      <p className="lone-brand">{productName}</p>
      <h1>{t('signedOut.title')}</h1>
      <p>{t(`signedOut.${reason}`)}</p>
      {error !== undefined && (
        <p className="quiet">
          <code>{error.error}</code>
          {error.description !== '' && ` – ${error.description}`}
        </p>
      )}
      <Button size="sm" onClick={() => onSignIn(error?.error === 'access_denied' ? { askAgain: true } : {})}>
        {t('action.signIn')}
      </Button>
    </main>
  );
}
