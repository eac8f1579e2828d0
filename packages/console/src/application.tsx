import './styles/application.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createAdminClient } from '@watchword/admin-client';
import { createRoot } from 'react-dom/client';
import { principalQuery, registrationQuery } from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { NoticeProvider } from './components/notices.tsx';
import { Button } from './controls/button.tsx';
import { EnvironmentContext } from './environment.ts';
import { placeOf, watchAddress } from './router/place.ts';
import { type Arrival, startRoute } from './session/arrive.ts';
import { type AuthorizationError, clientId } from './session/authorization.ts';
import { Drafts } from './session/drafts.ts';
import type { PendingRequests } from './session/pending.ts';
import { Session } from './session/session.ts';
import { type SignInOptions, signIn } from './session/sign-in.ts';
import { BrokenApplication } from './shell/broken.tsx';
import { colorScheme, showColorScheme } from './shell/color-scheme.ts';
import { Gate } from './shell/gate.tsx';
import { fetchPageAt } from './shell/shell.tsx';
import { t } from './texts/texts.ts';

export interface Description {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly pending: PendingRequests;
  /** Sends the requests for administration. */
  readonly send: typeof fetch;
  readonly productName: string;
  readonly logo: string | undefined;
  readonly version: string;
  readonly implicitLifetime: number;
  /** Whether the server gives no token at the authorization endpoint. */
  readonly usesCodes: boolean;
  readonly signingAlgorithms: readonly string[];
  readonly hasLocalAccounts: boolean;
}

type Started = Exclude<Arrival, { type: 'ask' | 'deliver' }>;

/** Shows the application if the window has a token, and otherwise the reason why it has none. */
export async function start(arrival: Started, { pending, send, ...described }: Description): Promise<void> {
  const place = document.getElementById('root');
  if (place === null) throw new Error('the page has no place for the application');
  showColorScheme(colorScheme());
  const signingIn = signIn(described.baseUrl, pending, described.usesCodes);
  const root = createRoot(place);
  if (arrival.type !== 'granted') {
    const route = arrival.type === 'failed' ? arrival.route : startRoute;
    const error = arrival.type === 'failed' ? arrival.error : undefined;
    root.render(
      <Guarded>
        <SignedOut
          error={error}
          productName={described.productName}
          onSignIn={(options) => signingIn.inThisWindow(route, options)}
        />
      </Guarded>,
    );
    return;
  }
  watchAddress(arrival.route);
  const session = new Session(arrival.grant);
  const drafts = new Drafts(sessionStorage);
  const admin = createAdminClient({
    baseUrl: described.baseUrl,
    fetch: send,
    token: () => session.token(),
    renew: (refused) => session.renew(refused),
    logInAgain: (maxAge) => session.logInAgain(maxAge),
  });
  const principalOf = (token: string) =>
    createAdminClient({ baseUrl: described.baseUrl, token: () => token }).principal();
  askWhenSignedOut(() => admin.principal());
  window.addEventListener('pagehide', ({ persisted }) => {
    drafts.keep();
    if (!persisted) giveBack(session, described.baseUrl);
  });
  const queries = queryClient();
  // The heading of the served page stands until then.
  await Promise.all([
    queries.prefetchQuery(principalQuery(admin)),
    queries.prefetchQuery(registrationQuery(admin)),
    fetchPageAt(placeOf(arrival.route).path),
  ]);
  root.render(
    <Guarded>
      <EnvironmentContext value={{ ...described, admin, principalOf, session, signIn: signingIn, drafts }}>
        <QueryClientProvider client={queries}>
          <NoticeProvider>
            <Gate />
          </NoticeProvider>
        </QueryClientProvider>
      </EnvironmentContext>
    </Guarded>,
  );
}

function Guarded({ children }: { readonly children: React.ReactNode }) {
  return <ErrorBoundary fallback={(error) => <BrokenApplication error={error} />}>{children}</ErrorBoundary>;
}

/**
 * The page of a logout in another tab says so, and Back can show this page as it was before one. What they say decides nothing: the
 * server then refuses the token.
 */
function askWhenSignedOut(ask: () => Promise<unknown>): void {
  const check = () => void ask().catch(() => {});
  new BroadcastChannel('watchword.session').addEventListener('message', check);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check();
  });
}

/** A token whose window is closed has no use (RFC 7009). */
function giveBack(session: Session, baseUrl: string): void {
  const token = session.current();
  if (token === undefined) return;
  navigator.sendBeacon(`${baseUrl}/oauth2/revoke`, new URLSearchParams({ token, client_id: clientId }));
}

interface SignedOutProps {
  /** `undefined`: there was an answer to a request that this window has not sent. */
  readonly error: AuthorizationError | undefined;
  readonly productName: string;
  readonly onSignIn: (options?: SignInOptions) => void;
}

const explained = ['access_denied', 'unauthorized_client', 'temporarily_unavailable'] as const;

/** Instead of the application, when there is no token. */
function SignedOut({ error, productName, onSignIn }: SignedOutProps) {
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
